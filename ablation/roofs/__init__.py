"""What one core of the machine can do at most: a program, and what it found."""
