"""What the exercises of several topics share."""
