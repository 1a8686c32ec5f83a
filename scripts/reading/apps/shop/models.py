"""The tables of the shop in Django's administration site."""

from __future__ import annotations

from django.db import models


class Customer(models.Model):
    """A person who orders."""

    name = models.CharField(max_length=80)
    email = models.EmailField()

    def __str__(self) -> str:
        return str(self.name)


class Order(models.Model):
    """An order, with the state of its payment."""

    number = models.IntegerField(unique=True)
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE)
    state = models.CharField(
        max_length=12, choices=[(s, s.title()) for s in ("paid", "unpaid", "shipped", "cancelled")]
    )
    total = models.IntegerField()
    placed = models.DateField()
    note = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"Order {self.number}"
