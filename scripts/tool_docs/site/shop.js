// The site of the examples: a shop, an order form, and a workshop with a drawing, a log and lists.
const TEAS = ["Sencha", "Assam", "Oolong"];
const DELIVERIES = ["Monday: Sencha", "Tuesday: Assam", "Wednesday: Oolong", "Thursday: Sencha", "Friday: nothing"];

const find = (id) => document.getElementById(id);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
let inCart = 0;

function showTeas(words) {
  const wanted = TEAS.filter((tea) => tea.toLowerCase().includes(words.toLowerCase()));
  find("teas").replaceChildren(...wanted.map(teaItem));
}

function teaItem(tea) {
  const add = make("button", { textContent: `Add ${tea}` });
  add.addEventListener("click", () => {
    inCart += 1;
    find("count").textContent = `${inCart} in the cart`;
  });
  const item = make("li", { textContent: `${tea} ` });
  item.append(add);
  return item;
}

async function checkStock() {
  find("stock").textContent = "Checking…";
  const stock = await (await fetch("stock.json")).json();
  find("stock").textContent = stock.message;
  console.log("Stock checked", stock);
}

function startShop() {
  showTeas("");
  find("search").addEventListener("input", (event) => showTeas(event.target.value));
  find("check").addEventListener("click", checkStock);
  find("cookies").hidden = sessionStorage.getItem("accepted") === "yes";
  find("accept").addEventListener("click", () => {
    sessionStorage.setItem("accepted", "yes");
    document.cookie = "consent=yes; max-age=86400";
    find("cookies").hidden = true;
  });
  console.warn("The autumn prices are not published yet.");
}

async function placeOrder(event) {
  event.preventDefault();
  const form = new FormData(event.target);
  if (!confirm(`Order ${form.get("packs")} packs of ${form.get("tea")}?`)) return;
  const order = Object.fromEntries([...form].filter(([, value]) => typeof value === "string"));
  const answer = await fetch("orders", { method: "POST", body: JSON.stringify(order) });
  find("result").textContent = (await answer.json()).message;
}

function startOrder() {
  find("order").addEventListener("submit", placeOrder);
  find("phone").addEventListener("input", (event) => {
    event.target.value = event.target.value.replaceAll(/[^0-9+]/g, "");
  });
  find("voucher").addEventListener("click", () => {
    find("result").textContent = `Voucher ${prompt("Voucher code?", "TEA") ?? "not"} entered`;
  });
  find("photo").addEventListener("change", (event) => {
    find("result").textContent = `Photo: ${event.target.files[0]?.name ?? "none"}`;
  });
}

function startWorkshop() {
  let strokes = 0;
  find("help").addEventListener("mouseenter", () => { find("tip").hidden = false; });
  find("help").addEventListener("mouseleave", () => { find("tip").hidden = true; });
  find("drawing").addEventListener("mouseup", () => {
    strokes += 1;
    find("strokes").textContent = `Strokes: ${strokes}`;
  });
  find("log").append(...DELIVERIES.map((text) => make("p", { textContent: text })));
  for (const item of document.querySelectorAll("li")) {
    item.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", item.textContent));
  }
  find("done").addEventListener("dragover", (event) => event.preventDefault());
  find("done").addEventListener("drop", (event) => {
    event.preventDefault();
    const text = event.dataTransfer.getData("text/plain");
    find("done").append([...document.querySelectorAll("#todo li")].find((item) => item.textContent === text));
  });
  find("zone").addEventListener("dragover", (event) => event.preventDefault());
  find("zone").addEventListener("drop", (event) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files].map((file) => file.name);
    find("zone").textContent = files.join(", ") || event.dataTransfer.getData("text/plain");
  });
}

if (find("teas")) startShop();
else if (find("order")) startOrder();
else startWorkshop();
