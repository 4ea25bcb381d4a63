"""What runs a pack (pack.py) on a machine that has neither this tree nor a compiler: it uses nothing but what is here, and Python."""
