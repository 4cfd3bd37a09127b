// Light or dark, as the system has it or as chosen; paper is light.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  let choice = "auto";
  const apply = (wanted) => {
    const now = wanted ?? (choice === "auto" ? (dark.matches ? "dark" : "light") : choice);
    if (root.dataset.theme === now) return;
    root.dataset.theme = now;
    document.dispatchEvent(new Event("colours"));
  };
  apply();
  dark.addEventListener("change", () => apply());
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply());
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button.addEventListener("click", () => {
      choice = { auto: "light", light: "dark", dark: "auto" }[choice];
      button.textContent = `Colours: ${choice}`;
      apply();
    });
  });
})();
