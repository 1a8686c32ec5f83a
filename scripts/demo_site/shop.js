// The whole shop: products and cart on three pages, the cart kept for the session.
const TEAS = [
  { name: "Sencha", picture: "🍵", price: 9, about: "Green tea from Shizuoka, grassy and clear." },
  { name: "Darjeeling", picture: "🫖", price: 12, about: "First flush, light, with a note of muscat." },
  { name: "Assam", picture: "☕", price: 8, about: "Strong and malty, takes milk well." },
  { name: "Oolong", picture: "🍂", price: 14, about: "Half oxidised, rolled by hand, good for six brews." },
  { name: "Rooibos", picture: "🌿", price: 7, about: "Red bush from the Cederberg, without caffeine." },
];

const find = (id) => document.getElementById(id);
const readCart = () => JSON.parse(sessionStorage.getItem("cart") ?? "[]");
const sum = (lines, value) => lines.reduce((total, line) => total + value(line), 0);

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function showCount() {
  find("count").textContent = `${sum(readCart(), (line) => line.quantity)} in the cart`;
}

function addToCart(tea, quantity) {
  sessionStorage.setItem("cart", JSON.stringify([...readCart(), { ...tea, quantity }]));
  showCount();
}

function productCard(tea) {
  const options = [1, 2, 3].map((n) => make("option", { value: n, textContent: n }));
  const quantity = make("select", { ariaLabel: `Quantity of ${tea.name}` }, ...options);
  const add = make("button", { type: "button", textContent: "Add to cart", ariaLabel: `Add ${tea.name} to cart` });
  add.addEventListener("click", () => addToCart(tea, Number(quantity.value)));
  return make(
    "li",
    {},
    make("div", { className: "picture", ariaHidden: "true", textContent: tea.picture }),
    make("h2", { textContent: tea.name }),
    make("p", { textContent: tea.about }),
    make("div", { className: "buy" }, make("span", { textContent: `${tea.price} €` }), quantity, add),
  );
}

function showProducts(words) {
  const wanted = TEAS.filter((tea) => `${tea.name} ${tea.about}`.toLowerCase().includes(words.toLowerCase()));
  find("products").replaceChildren(...wanted.map(productCard));
  find("found").textContent = `${wanted.length} of ${TEAS.length} teas`;
}

function startShop() {
  showProducts("");
  showCount();
  find("search").addEventListener("input", (event) => showProducts(event.target.value));
}

function startCheckout() {
  const cell = (text) => make("td", { textContent: text });
  for (const { name, quantity, price } of readCart()) {
    find("cart").append(make("tr", {}, cell(name), cell(quantity), cell(`${price * quantity} €`)));
  }
  find("checkout").addEventListener("submit", (event) => {
    event.preventDefault();
    const total = sum(readCart(), (line) => line.price * line.quantity);
    if (confirm(`Order tea for ${total} €?`)) {
      sessionStorage.setItem("customer", new FormData(event.target).get("name"));
      location.href = "order.html";
    }
  });
}

function showOrder() {
  const cart = readCart();
  find("customer").textContent = `, ${sessionStorage.getItem("customer")}`;
  find("summary").textContent = `${sum(cart, (line) => line.quantity)} packs of tea are on their way to you.`;
  sessionStorage.clear();
}

if (find("products")) startShop();
else if (find("checkout")) startCheckout();
else showOrder();
