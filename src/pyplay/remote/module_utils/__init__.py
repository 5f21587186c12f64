"""Code that shipped modules share."""
