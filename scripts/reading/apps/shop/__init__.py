"""The application `shop` in Django's administration site."""
