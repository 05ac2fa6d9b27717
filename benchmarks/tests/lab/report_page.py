"""The report's page in a browser, with what its tests do there."""

from __future__ import annotations

from support.browser import Page


class ReportPage(Page):
    """A page for reports, which can be restored to the state in which it was opened."""

    def unfold(self, selector):
        """Opens folded parts, until the next `reset`."""
        self.run(
            f"for (const d of document.querySelectorAll('{selector}'))"
            " { d.dataset.was ??= d.open; d.open = true; }"
        )

    def choose(self, menu, value):
        """Selects a value of a select element."""
        self.do(
            f"const s = document.getElementById('{menu}'); s.value = '{value}';"
            "s.dispatchEvent(new Event('change'))"
        )

    def rows_of(self, figure):
        """What the first panel of a figure shows."""
        found = f"DATA.figures.find((figure) => figure.id === '{figure}')"
        return self.ask(f"rowsOf({found}, {found}.panels[0])")

    def reset(self):
        """Restores the state in which the page was opened."""
        self.run(
            "for (const d of document.querySelectorAll('details[data-was]'))"
            " { d.open = d.dataset.was === 'true'; delete d.dataset.was; }"
        )
        self.run("document.querySelector('button[data-theme=\"\"]').click()")
        self.prefer("light")
        if self.changed:
            self.do("document.getElementById('reset').click()")
            self.changed = False
