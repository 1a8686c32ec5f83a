// Shapes that several modules share. They are known in every module without an import; nothing here is ever run.

type Scope = Document | DocumentFragment | Element;
type Matched<Selector extends string> = Selector extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Selector] : Element;
type Point = { x: number; y: number };
type Size = { width: number; height: number };
type Area = { left: number; top: number; right: number; bottom: number };
type Box = Area & Size;
type Color = number[]; // red, green, blue, alpha

// ---- what one look at the page has found out

interface Paint {
  style: CSSStyleDeclaration;
  display: string;
  isVisible: boolean;
  isPointer: boolean;
  overflow?: string;
}

interface Owners {
  scopes: Set<Scope>;
  ownerOf: Map<Node, Element>;
  ownedBy: Map<Element, Element[]>;
}

interface PaintedBox {
  painted: Element;
  box: DOMRect;
}

// What `remembered` keeps: of what, and what it says about it.
interface Remembered {
  roles: [Element, string];
  names: [Element, string];
  tables: [Element, boolean];
  tablesAround: [Node | null, string];
  layers: [string, Element[]];
}

interface Memo {
  paints: Map<Element, Paint>;
  roles: Map<Element, string>;
  names: Map<Element, string>;
  contents: Map<Element, string>;
  slots: Map<Node, Map<Node, HTMLSlotElement>>;
  tables: Map<Element, boolean>;
  tablesAround: Map<Node | null, string>;
  muteImages: Set<PrintedChild>;
  labels: Map<Node, Map<Element, HTMLLabelElement[]>> | null;
  owners: Owners | null;
  focusPath: Set<Node> | null;
  focused: { element: Element | null } | null;
  modal: { dialog: Element; path: Set<Node> } | null | undefined;
  someDisabled: { found: boolean } | null;
  pseudo: Set<Element> | null;
  depth: number;
  saidLabels: Set<Element> | null;
  readByReference: Set<Element> | null;
  isSingular: boolean;
  suspects: Set<Element> | null;
  animated: Set<Element> | null;
  area: Area | null;
  painted: PaintedBox[] | null;
  pictures: PaintedBox[] | null;
  range: Range | null;
  layers: Map<string, Element[]> | null;
}

// ---- what is printed

type PrintedNode = [role: string, name: string, props: Props | null, children: PrintedChild[]];
type PrintedChild = string | PrintedNode;

interface Props {
  checked?: boolean | "mixed";
  disabled?: boolean;
  expanded?: boolean;
  active?: boolean;
  invalid?: boolean | "grammar" | "spelling";
  level?: number;
  pressed?: boolean | "mixed";
  selected?: boolean;
  readonly?: boolean;
  required?: boolean;
  multiline?: boolean;
  hidden?: boolean;
  ref?: number;
  cursor?: boolean;
  hint?: string;
  url?: string;
  value?: string;
  type?: string;
  placeholder?: string;
  box?: [x: number, y: number, width: number, height: number];
  frame?: boolean;
  "aria-hidden"?: boolean;
}

// ---- the walk

interface Run {
  allRefs: boolean;
  boxes: boolean;
  count: number; // of the nodes that want a number
  second: OpenNode[]; // numbered at the end, or not at all
  withoutRef: number;
}

interface OpenNode {
  target: Element;
  role: string;
  name: string;
  ref: number; // 0 for none
  hint: string;
  isHidden: boolean;
  isMuted: boolean;
  isMarked: boolean;
  isPainted: boolean;
  hasAriaHidden: boolean;
  isActed: boolean;
  isSecond: boolean;
  isAriaHidden: boolean;
  closed: PrintedNode | null;
  box?: Props["box"];
}

// Gathers the children of a node. `hasEdge`, `lastText`: see snapshot/word_breaks.js.
interface Sink {
  children: PrintedChild[];
  pending: string; // the line of text that is gathered
  isMuted: boolean;
  isPainted: boolean;
  hasAriaHidden: boolean;
  hasEdge: boolean;
  lastText: Text | null;
}

// What is around an element of a walk.
interface Around {
  sink: Sink;
  depth: number;
  isPointer: boolean;
  isContained: boolean;
  hasParts: boolean;
  isImage: boolean;
  isMarked: boolean;
  isSpoken: boolean;
  ariaHidden: string; // the kind of the aria-hidden element around, "" for none
  sight: Sight;
  target?: undefined;
  node?: undefined;
  around?: undefined;
}

// An element on the stack of a walk.
interface Frame extends Omit<Around, "target" | "node" | "around"> {
  target: Element;
  node: OpenNode | null;
  around: Around | Frame;
  index: number;
  isVisible: boolean;
  children: (Element | Text)[];
  labelFrom: number;
}

// How a frame is seen. Frames share one until an element that may be hidden comes.
interface Sight {
  target: Element | null;
  outer: Sight | null;
  veil: Veil | null;
  clip: Clip | null;
  isDoubtful: boolean; // what stands in it must be asked itself
  isClear: boolean;
  background: Color | null | undefined; // this and `isMute` are found when a text asks for them
  isMute: boolean | undefined;
}

interface Veil {
  root: Element | null;
  isLater: boolean; // it may be seen without more ado: when an animation has run, a slide has come round
  isEscapable: boolean; // what is positioned against something outside of `root` is not covered
}

interface Clip {
  root: Element;
  box: DOMRect;
}

// How a subtree is read for a name.
interface Way {
  skip: Element | null; // the control that is being named
  inReference: boolean; // aria-labelledby led here; it is followed only once
  hiddenToo: boolean; // what aria-labelledby named is hidden as a whole
}

// ---- what Python is answered

// An element in an answer. `changes` counts what had changed in the document by now.
interface Named {
  changes: number;
  role: string;
  name: string;
}

interface Cause extends Named {
  number: number;
  text: string;
}

interface Gone {
  fail: "gone";
}

// Why an element cannot be acted on, as it is answered: `how` is the variant of `fail`; `by` the element that is the
// cause, null for the element itself or for none.
interface Failure {
  fail: string;
  how?: string;
  by?: Cause | null;
}

type NamedFailure = Named & Failure;

// What to return another answer for than the last one: when its state is another, after `limit` ms at the latest.
interface Question {
  state: string;
  limit: number;
}

interface Again {
  again: Question | null; // null for the first call
}

// An answer that may be another one later; `state` tells such answers apart.
type Passing<T> = T & { state: string; isPageAnimated: boolean };

// Milliseconds: how long an act may take, and how long waiting without a sign of progress may.
interface Waiting {
  timeout: number;
  patience: number;
}

// A choice of a control.
interface Choice {
  element: Element;
  value: string | null;
  texts: string[];
  isOff: boolean;
}

interface Offer {
  offered: string[]; // the labels of what can be chosen
  more: number; // how many are left out
}

// What kinds of CSS rules have, each for its own.
type AnyRule = CSSRule & Partial<Pick<CSSImportRule, "styleSheet"> & Pick<CSSGroupingRule, "cssRules">>;

// One of several overloads, for the others cannot be passed to `call`.
interface Scrolling {
  scrollBy(this: Element, options: ScrollToOptions): void;
  scrollTo(this: Element, options: ScrollToOptions): void;
}

// The one kind of effect that there is; and a transition names its property.
type RunningAnimation = Animation & { effect: KeyframeEffect | null; transitionProperty?: string };

// ---- what the type checker does not know

interface NavigateEvent {
  readonly downloadRequest: string | null;
}

interface HTMLElement {
  readonly editContext: { text: string; selectionStart: number; selectionEnd: number } | null;
}

interface Window {
  viewpointDownload?: (message: string) => void;
}

// ---- whether an element can be hit: `page/actions/hit/facts.py` reads it

// What stands in the way, and the element that is the cause: null for the target itself, or where none can be named.
interface Reason {
  how: string;
  by: Element | null;
}

interface Obstacle extends Partial<Reason> {
  fail: string;
  hit?: Element | null; // of a covering element: what takes the click, null where only the dialog is known
}

interface Covering {
  by: Element;
  hit?: Element | null;
}

// What one attempt to reach an element found.
type Attempt = (Partial<Obstacle> & { point: Point }) | (Obstacle & { point?: undefined });

type AnimationKind = "none" | "finite" | "endless";

interface CoverFacts {
  signs: string[]; // that it goes away by itself
  offersAction: boolean;
  isLabelled: boolean;
}

interface Motion {
  moved: number; // the largest distance from one drawn frame to the next, in CSS pixels
  isHit: boolean;
  isStill: boolean;
  hasFrame: boolean;
}

// One look at an element; as it is answered, another element that is the cause is described.
interface Look<Found = Obstacle> {
  state: string; // tells looks apart that mean something else; see `untilChanged`
  point: Point | null; // in CSS pixels of this frame's viewport; null with an obstacle
  obstacle: Found | null;
  cover: CoverFacts | null; // of a covering element
  motion: Motion | null; // null with an obstacle
  animation: AnimationKind; // of those that may carry the element along
  isPageAnimated: boolean; // an animation that comes to an end runs anywhere in the document
}

interface HitFacts extends Named, Look<Failure> {
  isHidden: boolean; // the tab is not visible, so the browser draws no frames
  isAimed: boolean; // the document watches the press that follows
}

interface GoneFacts {
  state: "gone";
  obstacle: Gone;
}

// What lies at a point: nothing, the ground of the page (without `by`), or an element. `inner`: the point in the frame
// that the element shows.
interface Spot {
  hit?: number;
  inner?: Point | null;
  by?: Cause;
}

// ---- arguments and answers of the functions that Python calls

// A call that may number elements: its answer, and the lowest number that is still free.
interface Numbered<T> {
  value: T;
  next: number;
}

interface WalkOptions {
  root?: number | null;
  allRefs?: boolean; // number every node
  boxes?: boolean; // report every numbered node's box
  since?: number; // the stamp of a walk that is known
}

// What a walk answers.
interface Walked {
  changes: number; // that the document had seen by now
  hosts: number; // elements to ask about, which may have a closed shadow root: see dom/closed_shadow.js
  withoutRef: number; // nodes that have no number: see numberSecond
  stamp: number; // of the walk, 0 where it is not to be kept
  title: string;
  url: string;
  nodes: PrintedChild[];
}

type Direction = "up" | "down" | "left" | "right" | "top" | "bottom";

// By how far something was scrolled. `by`: what that was, or with `isPart` what it is a part of; without it that has no
// name either.
interface Scrolled extends Point {
  by?: Named;
  isPart?: boolean;
}

interface ScrolledInside extends Scrolled, Named {
  rest: number; // px that are left to scroll in that direction
}

type SightTest = (x: number, y: number) => boolean;
type Seen = [key: string, parts: number[][]]; // of each part left, top, right and bottom

// What can be seen of an element, in CSS pixels of the frame's viewport; `seen` is null where nothing is.
interface Revealed {
  whole: Area;
  seen: Area | null;
  isMoved: boolean;
}

interface FieldOptions {
  replace: boolean; // the content is selected, so that what is inserted takes its place
  typed: string;
  isKnown?: boolean; // it is neither named nor waited for
}

interface Focused extends Partial<Named> {
  kind: "text" | "value" | "keys"; // "keys": an editor that only looks like a field
  instead?: string | null; // for "value": what the field would make of it, null where it took it
  empty?: boolean;
  hasCaret?: boolean; // the caret is where the text goes
  endKey?: string; // what brings it to the end otherwise
  count?: number; // how often the document had changed by now
  refused?: undefined;
}

type FocusRefused = Named & ({ refused: "focus"; by: Named | null } | { refused: "frame" });

// `text` is cut, and null for a password.
interface Selected {
  text: string | null;
  count: number;
}

interface Held {
  held: string | null; // for a password its length
  reached: boolean;
  isSecret?: boolean;
  isAsBefore?: boolean;
  isReplaced?: boolean;
}

interface FileField extends Named {
  multiple: boolean;
  directory: boolean;
  accept: string;
  disabled: boolean;
}

interface FormField {
  number: number;
  type: "textbox" | "checkbox" | "radio" | "combobox" | "slider";
  typed: string;
}

// Why a field cannot be filled; empty where it can.
interface Refusal extends Partial<Offer> {
  fail?: string;
  refused?: string; // "kind", "file", "value", or as of a ChoiceRefused
  value?: string;
  instead?: string | null;
  least?: number;
  most?: number;
}

interface ToCheck {
  isDone?: true;
  press?: true; // the key, for which it has the focus
  number?: number; // the element to click, where no key will do
}

interface ListOptions extends Waiting {
  isKnown?: boolean;
}

interface ListState {
  isMultiple: boolean;
  selected: string[];
}

interface FoundOption {
  number: number;
  label: string;
  isChosen: boolean;
}

// Why a choice cannot be made.
type ChoiceRefused = { refused: "several" } | ({ refused: "missing" | "off"; value: string } & Offer);

interface Chosen {
  isTaken: boolean;
  hasReacted: boolean; // the document changed after the click on the option
  shown: string;
  selected: string[];
}

interface ChooseOptions {
  values: string[];
  isKnown?: boolean;
  isCheck?: boolean;
}

// What became of a choice in a native list.
interface Choosing extends Refusal {
  kind?: "select" | "datalist" | "list";
  chosen?: string[]; // of a "select"
  hasChanged?: boolean;
  text?: string; // of a "datalist": to be typed
}
