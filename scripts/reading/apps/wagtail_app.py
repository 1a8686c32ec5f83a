"""Wagtail with three articles, whose text is edited with Draftail."""

from __future__ import annotations

import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

PARTS = ("forms", "redirects", "embeds", "sites", "users", "snippets", "documents", "images")
APPS = (
    "journal",
    *(f"wagtail.contrib.{name}" for name in PARTS[:2]),
    *(f"wagtail.{name}" for name in (*PARTS[2:], "search", "admin")),
    "wagtail",
    "modelcluster",
    "taggit",
    *(
        f"django.contrib.{name}"
        for name in ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
    ),
)
PROCESSORS = (
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
)
MIGRATIONS = Path.cwd() / "journal_migrations"  # made for each run
TEXT = (
    "<p>The first flush is picked in March, and the harvest is small.</p>"
    "<p>Two gardens send samples:</p><p>Castleton</p><p>Margaret's Hope</p>"
)


def configure() -> None:
    """Set up a project of Wagtail's applications and the package `journal` beside this file."""
    sys.path[:0] = [str(Path(__file__).parent), str(MIGRATIONS.parent)]
    MIGRATIONS.mkdir()
    (MIGRATIONS / "__init__.py").touch()
    middleware = ("sessions.middleware.Session", "auth.middleware.Authentication")
    settings.configure(
        DEBUG=True,
        SECRET_KEY="corpus",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF="journal.urls",
        USE_TZ=True,
        STATIC_URL="static/",
        MEDIA_URL="media/",
        WAGTAIL_SITE_NAME="Tea journal",
        WAGTAILADMIN_BASE_URL=f"http://127.0.0.1:{sys.argv[1]}",
        WAGTAIL_ENABLE_UPDATE_CHECK=False,
        WAGTAIL_AUTOSAVE_INTERVAL=0,  # SQLite would refuse to publish at the same time
        WAGTAIL_GRAVATAR_PROVIDER_URL=None,
        WAGTAIL_ENABLE_WHATS_NEW_BANNER=False,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}},
        INSTALLED_APPS=APPS,
        MIDDLEWARE=[
            *(f"django.contrib.{name}Middleware" for name in middleware),
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": PROCESSORS},
            }
        ],
        MIGRATION_MODULES={"journal": MIGRATIONS.name},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()


def fill() -> None:
    """Create the tables, the user, and the articles."""
    from django.contrib.auth.models import User
    from journal.models import Article
    from wagtail.models import Page

    call_command("makemigrations", "journal", verbosity=0)
    call_command("migrate", verbosity=0)
    User.objects.create_superuser("admin", "admin@example.com", "secret-tea")
    home = Page.objects.get(depth=2)
    for title in ("Spring teas", "Summer teas", "Autumn teas"):
        home.add_child(instance=Article(title=title, body=TEXT))


if __name__ == "__main__":
    configure()
    fill()
    call_command("runserver", f"127.0.0.1:{sys.argv[1]}", "--noreload", "--insecure")
