// What pages do without the server: the slider of a round, choosing rows, laying cards, progress.
"use strict";
(() => {
  const all = (root, what) => Array.from(root.querySelectorAll(what));

  function slider(root) {
    for (const input of all(root, "input.frames")) {
      if (input.dataset.ready) continue;
      input.dataset.ready = "1";
      const section = input.closest("section");
      const frames = all(section, ".frame");
      const show = () => {
        frames.forEach((frame, at) => { frame.hidden = at !== Number(input.value); });
        const words = frames[Number(input.value)].dataset.words;
        section.querySelector("output").textContent = `${input.value}/${frames.length - 1}  ${words}`;
      };
      input.addEventListener("input", show);
      for (const button of all(section, ".step")) {
        button.addEventListener("click", () => {
          input.value = Number(input.value) + Number(button.dataset.step);
          show();
        });
      }
      show();
    }
  }

  function choosing(root) {
    for (const box of all(root, "input.every")) {
      box.addEventListener("change", () => {
        for (const one of all(box.closest("form"), "input[name=fingerprint]")) one.checked = box.checked;
      });
    }
    for (const field of all(root, "input[name=back]")) field.value = location.pathname + location.search;
    for (const field of all(root, "input[name=person]")) {
      if (!field.value) field.value = localStorage.getItem("rulespec-person") || "";
      field.addEventListener("change", () => localStorage.setItem("rulespec-person", field.value));
    }
  }

  function progress(root) {
    for (const box of all(root, ".job[data-state=running]")) {
      const events = new EventSource(`/jobs/${box.dataset.job}/events`);
      events.onmessage = (message) => {
        const told = JSON.parse(message.data);
        box.querySelector(".state").textContent = told.state;
        if (told.rounds !== undefined) {
          box.querySelector(".rounds").textContent = told.rounds.toLocaleString("en");
          box.querySelector(".found").textContent = told.findings.toLocaleString("en");
        }
        if (told.state !== "running") { events.close(); location.reload(); }
      };
      events.onerror = () => events.close();
    }
  }

  function again(root) {
    if (root.querySelector(".again")) setTimeout(() => location.reload(), 1000);
  }

  function laying(root) {
    const form = root.querySelector("form.try");
    if (!form || form.dataset.ready) return;
    form.dataset.ready = "1";
    const text = form.querySelector("textarea");
    const bet = form.querySelector("select.bet");
    const value = (what) => form.querySelector(what).value;
    const lines = () => text.value.split("\n").filter((line) => line.trim());
    const write = (made) => {
      text.value = made.join("\n");
      text.dispatchEvent(new Event("input", { bubbles: true }));
    };
    for (const button of all(form, "[data-card]")) {
      button.addEventListener("click", () => {
        const made = lines();
        const card = `${value(".seat")}:${button.dataset.card}`;
        const last = made[made.length - 1] || "";
        if (last.startsWith("deal ")) made[made.length - 1] = `${last} ${card}`;
        else made.push(`deal ${card}`);
        write(made);
      });
    }
    for (const button of all(form, "[data-lay]")) {
      button.addEventListener("click", () => {
        const made = lines();
        const [box, who, amount] = [value(".seat"), value(".who"), value(".amount")];
        const word = button.dataset.lay;
        if (word === "undo") made.pop();
        else if (word === "bet") made.push(`bet ${box} ${who} ${amount}${bet.selectedIndex ? " " + bet.value : ""}`);
        else if (word === "settle") made.push(`settle ${box} ${who} ${bet.value} ${amount}`);
        else made.push(`${box} ${who} ${button.dataset.word}${button.dataset.staked ? " $" + amount : ""}`);
        write(made);
      });
    }
  }

  function zooming(root) {
    for (const button of all(root, "[data-zoom]")) {
      button.addEventListener("click", () => {
        const svg = button.closest("section").querySelector(".zoom svg");
        for (const side of ["width", "height"]) {
          svg.setAttribute(side, String(Number(svg.getAttribute(side)) * Number(button.dataset.zoom)));
        }
      });
    }
  }

  if (matchMedia("(max-width: 56rem)").matches) {
    document.addEventListener("DOMContentLoaded", () => {
      for (const filters of all(document, "details.filters")) filters.open = false;
    });
  }

  function ready(root) { slider(root); choosing(root); progress(root); laying(root); zooming(root); again(root); }
  document.addEventListener("DOMContentLoaded", () => ready(document));
  document.addEventListener("htmx:afterSwap", (event) => ready(event.target.parentElement || document));
})();
