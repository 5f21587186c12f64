"""Marks on values: a host keeps none, so values go through as they are."""


def deprecate_value(value, msg, version=None, date=None, collection_name=None, deprecator=None, help_text=None):
    """Give the value."""
    return value


def deprecator_from_collection_name(collection_name):
    """Give who says that something goes away."""
    return collection_name
