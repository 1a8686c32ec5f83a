"""The pages and the URLs of the shop in Django's administration site."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.urls import path
from shop.models import Customer, Order


@admin.action(description="Mark selected orders as paid")
def mark_paid(admin_page: admin.ModelAdmin, request: Any, orders: Any) -> None:
    count = orders.update(state="paid")
    admin_page.message_user(request, f"{count} orders were marked as paid.")


@admin.register(Customer)
class CustomerAdmin(admin.ModelAdmin):
    """The customers, with a search."""

    list_display = ("name", "email")
    search_fields = ("name",)


@admin.register(Order)
class OrderAdmin(admin.ModelAdmin):
    """The orders, with a search, filters and an action."""

    list_display = ("number", "customer", "state", "total", "placed")
    list_filter = ("state", "customer")
    search_fields = ("number", "customer__name")
    date_hierarchy = "placed"
    ordering = ("number",)
    list_per_page = 50
    actions = (mark_paid,)


urlpatterns = [path("admin/", admin.site.urls)]
