// Additions that make the pages easier to use. Every page also works without this script.
"use strict";

const main = document.querySelector("main");

// Browsers report some time zones with names that tzdata has replaced.
const renamed = {
  "Africa/Asmera": "Africa/Asmara", "America/Buenos_Aires": "America/Argentina/Buenos_Aires", "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan", "America/Cordoba": "America/Argentina/Cordoba", "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis", "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville", "America/Mendoza": "America/Argentina/Mendoza", "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu", "Asia/Rangoon": "Asia/Yangon", "Asia/Saigon": "Asia/Ho_Chi_Minh", "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv", "Pacific/Enderbury": "Pacific/Kanton", "Pacific/Ponape": "Pacific/Pohnpei", "Pacific/Truk": "Pacific/Chuuk",
};
const reported = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zone = renamed[reported] || reported;

// Selects the time zone and the country of the phone, until a person selects others.
for (const select of document.querySelectorAll("select[data-zone], select[data-country]")) {
  const fits = select.dataset.zone ? (o) => o.value === zone : (o) => (o.dataset.zones || "").split(" ").includes(zone);
  const option = [...select.options].find(fits);
  if (option) select.value = option.value;
  if (!option || !select.dataset.zone) continue;
  const note = document.getElementById("from");
  note.hidden = false;
  select.addEventListener("change", () => { note.hidden = select.value !== zone; });
}

// Buttons that show and hide a typed password.
for (const button of document.querySelectorAll("button[data-shows]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const input = document.getElementById(button.dataset.shows);
    const shown = input.type === "text";
    input.type = shown ? "password" : "text";
    button.setAttribute("aria-pressed", String(!shown));
  });
}

// A password that is too short is not sent, so that it stays in the field.
for (const input of document.querySelectorAll("input[data-short]")) {
  const why = document.getElementById(input.dataset.short);
  input.form.addEventListener("submit", (event) => {
    const size = new TextEncoder().encode(input.value).length; // networks count bytes
    if (event.submitter?.formNoValidate || size >= 8 || (size === 0 && input.dataset.empty)) return;
    event.preventDefault();
    why.textContent = why.dataset.text;
    input.setAttribute("aria-invalid", "true");
    input.focus();
  });
}

// Updates the age of the last search, or of a restart, every second. At the limit of a restart it stresses what a person can do now.
for (const note of document.querySelectorAll("[data-age]")) {
  const start = Date.now() - note.dataset.age * 1000;
  setInterval(() => {
    const s = Math.floor((Date.now() - start) / 1000);
    note.textContent = s < 60 ? note.dataset.seconds.replace("%s", s) : note.dataset.minutes.replace("%s", Math.floor(s / 60));
    if (s < note.dataset.limit * 60 || !note.dataset.limit) return;
    const late = document.getElementById("late");
    late.className = "alert";
    late.setAttribute("role", "alert");
    document.querySelector(".spin")?.classList.remove("spin");
  }, 1000);
}

const patience = 5000; // time in ms after which a request without an answer is repeated. Without it, a browser may wait for two minutes
let drawn = main.innerHTML;

// A waiting page requests its state every second, without a reload. It continues while the phone changes its network.
async function poll() {
  try {
    const answer = await fetch(location.href, { cache: "no-store", headers: { "X-Poll": "1" }, signal: AbortSignal.timeout?.(patience) });
    if (answer.ok) {
      const text = await answer.text();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      if (fresh.body.dataset.page !== document.body.dataset.page) {
        location.replace(location.pathname);
        return;
      }
      const next = fresh.querySelector("main").innerHTML;
      if (next !== drawn) main.innerHTML = drawn = next;
    }
  } catch {
    // The request failed, for example because the phone is changing its network.
  }
  setTimeout(poll, 1000);
}
if (document.body.dataset.poll) setTimeout(poll, 1000);
