"""Django's administration site with customers and orders."""

from __future__ import annotations

import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

STATES = ("paid", "unpaid", "shipped", "cancelled")
NAMES = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov")


def configure() -> None:
    """Set up a project of one application, the package `shop` beside this file."""
    sys.path.insert(0, str(Path(__file__).parent))
    settings.configure(
        DEBUG=True,
        SECRET_KEY="corpus",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF="shop.admin",
        USE_TZ=True,
        STATIC_URL="static/",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}},
        INSTALLED_APPS=[
            f"django.contrib.{name}"
            for name in ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
        ]
        + ["shop"],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()


def fill() -> None:
    """Create the tables, the user, and 120 orders of five customers."""
    from django.contrib.auth.models import User
    from shop.models import Customer, Order

    call_command("migrate", run_syncdb=True, verbosity=0)
    User.objects.create_superuser("admin", "admin@example.com", "secret-tea")
    customers = [
        Customer.objects.create(name=name, email=f"{name.split()[0].lower()}@example.com")
        for name in NAMES
    ]
    for n in range(120):
        Order.objects.create(
            number=1000 + n,
            customer=customers[n % 5],
            state=STATES[(n * 7 // 5) % 4] if n % 5 else ("unpaid" if n % 40 == 5 else "paid"),
            total=(n * 37) % 500 + 5,
            placed=f"2026-{n % 11 + 1:02}-{n % 27 + 1:02}",
        )


if __name__ == "__main__":
    configure()
    fill()
    call_command("runserver", f"127.0.0.1:{sys.argv[1]}", "--noreload", "--insecure")
