// What the reader has said stands beside the result. Without this script the page says the result alone.
"use strict";

for (const form of document.querySelectorAll("form.prediction")) {
  const said = () => {
    const field = form.querySelector("input:checked, input[type=text]");
    const value = field ? field.value.trim() : "";
    return value ? `You said “${value}”. ` : "You made no prediction. ";
  };
  const tell = () => { form.querySelector(".said").textContent = said(); };
  form.querySelector("details").addEventListener("toggle", tell);
  form.addEventListener("input", tell);
  form.addEventListener("submit", (event) => {
    event.preventDefault(); // Enter in the field shows the result
    form.querySelector("details").open = true;
  });
}
