"""What `./retro` runs."""
