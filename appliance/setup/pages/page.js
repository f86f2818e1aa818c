// Small comforts of the pages. Every page also works without this script.
"use strict";

const main = document.querySelector("main");

// The phone's time zone and country are chosen before a person chooses.
for (const select of document.querySelectorAll("select[data-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((o) => o.value === zone)) select.value = zone;
}

// A password can be read while it is typed.
for (const button of document.querySelectorAll("button[data-shows]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const input = document.getElementById(button.dataset.shows);
    const shown = input.type === "text";
    input.type = shown ? "password" : "text";
    button.setAttribute("aria-pressed", String(!shown));
  });
}

// A page that waits asks once a second, without a new page. It keeps asking while the phone changes its network.
async function poll() {
  try {
    const answer = await fetch(location.href, { cache: "no-store", headers: { "X-Poll": "1" } });
    if (answer.ok) {
      const text = await answer.text();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      if (fresh.body.dataset.page !== document.body.dataset.page) {
        location.replace(location.pathname);
        return;
      }
      if (fresh.querySelector("main").innerHTML !== main.innerHTML) main.innerHTML = fresh.querySelector("main").innerHTML;
    }
  } catch {
    // The phone is between two networks.
  }
  setTimeout(poll, 1000);
}
if (document.body.dataset.poll) setTimeout(poll, 1000);
