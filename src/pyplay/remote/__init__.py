"""What runs on managed hosts: Python 3.6+, standard library only."""
