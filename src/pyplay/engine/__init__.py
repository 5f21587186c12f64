"""Walking hosts through a play: cursors, strategies, handlers, stats."""
