// Types that several modules share. They are global, so modules use them without an import. This file contains no code.

type Scope = Document | DocumentFragment | Element;
type Matched<Selector extends string> = Selector extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Selector] : Element;
type Point = { x: number; y: number };
type Size = { width: number; height: number };
type Area = { left: number; top: number; right: number; bottom: number };
type Box = Area & Size;
type Color = number[]; // red, green, blue, alpha

// ---- results of a look, see dom/memo.js

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

// An element with its box, to be sorted.
interface BoxOf {
  each: Element;
  box: DOMRect;
}

interface PaintedBox {
  painted: Element;
  box: DOMRect;
}

// The kinds of results that `remembered` caches, with the types of key and value.
interface Remembered {
  roles: [Element, string];
  names: [Element, string];
  tables: [Element, boolean];
  tablesAround: [Node | null, string];
  layers: [string, Element[]];
  headers: [Element, Map<number, string>];
  cells: [Element, Element[]];
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
  controls: Map<PrintedNode, Element>; // the nodes that can be acted on
  labels: Map<Node, Map<Element, HTMLLabelElement[]>> | null;
  owners: Owners | null;
  focusPath: Set<Node> | null;
  focused: { element: Element | null } | null;
  modal: { dialog: Element; path: Set<Node> } | null | undefined;
  someDisabled: { found: boolean } | null;
  someSets: { found: boolean } | null;
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
  headers: Map<Element, Map<number, string>>;
  cells: Map<Element, Element[]>;
  editors: CodeEditors | null;
}

// A code editor. `lines` are the elements that draw its text beside its field; empty if the field itself contains them.
interface CodeEditor {
  field: Element;
  top: Element; // around the field, the lines and their numbers
  lines: Element[];
  gutters: Set<Element>;
  shown: string; // numbers of the drawn lines if these are a part, such as "3-28"; "in view" without numbers
  drawn: Map<Element, PrintedChild[]>; // content of each line
  node: PrintedNode | null; // of the field
}

interface CodeEditors {
  byTop: Map<Element, CodeEditor>;
  byField: Map<Element, CodeEditor>;
  byLine: Map<Element, CodeEditor>;
  gutters: Set<Element>;
}

// ---- printed nodes

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
  sort?: string;
  rows?: string;
  items?: string;
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
  lines?: string; // the part of a code editor's text, see CodeEditor
  flow?: boolean; // the children are the fragments of one line of editable content
  "aria-hidden"?: boolean;
}

// ---- the walk

interface Run {
  allRefs: boolean;
  boxes: boolean;
  hidden: boolean;
  count: number; // number of nodes that want a ref
  second: OpenNode[]; // nodes that get a ref at the end of the walk, or none
  withoutRef: number;
  leftOut: number; // number of invisible elements that are not printed
  canvases: Element[];
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
  startsPointer: boolean; // the cursor over it is a pointer, but not over the element around it
  isAriaHidden: boolean;
  isFlow: boolean;
  isEdited: boolean; // inside editable content
  isInEditor: boolean; // inside a code editor
  closed: PrintedNode | null;
  box?: Props["box"];
}

// Collects the children of a node. See snapshot/word_breaks.js for `hasEdge` and `lastText`.
interface Sink {
  children: PrintedChild[];
  pending: string; // the current line of text
  isMuted: boolean;
  isPainted: boolean;
  hasAriaHidden: boolean;
  hasEdge: boolean;
  lastText: Text | null;
  line: PrintedChild[] | null; // fragments of the current line of editable content; null elsewhere
  format: string; // of the pending text
}

// The surroundings of an element in a walk.
interface Around {
  sink: Sink;
  depth: number;
  isPointer: boolean;
  control: Element | null; // the control that a click on the content operates
  isContained: boolean;
  hasParts: boolean;
  isImage: boolean;
  isMarked: boolean;
  isLeftOut: boolean; // inside of an invisible element that is not printed
  isSpoken: boolean;
  isEdited: boolean; // the content can be edited
  format: string; // formatting of the text in it, see snapshot/editing.js
  editor: CodeEditor | null; // the code editor around it
  ariaHidden: string; // the kind of the enclosing aria-hidden element; "" for none
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
  line: CodeEditor | null; // the editor that draws the element as a line
}

// The visibility of a frame's content. Frames share a sight until an element that may be hidden begins.
interface Sight {
  target: Element | null;
  outer: Sight | null;
  veil: Veil | null;
  clip: Clip | null;
  isDoubtful: boolean; // the visibility of each element inside must be checked
  isClear: boolean;
  background: Color | null | undefined; // computed with `isMute`, when a text needs it
  isMute: boolean | undefined;
}

interface Veil {
  root: Element | null;
  isLater: boolean; // temporarily hidden, for example until an animation ends or a slide is shown
  isEscapable: boolean; // does not hide elements that are positioned relative to an element outside `root`
}

interface Clip {
  root: Element;
  box: DOMRect;
}

// How the content of an element is read for a name.
interface Way {
  skip: Element | null; // the control whose name is computed
  inReference: boolean; // reached through aria-labelledby or a label; aria-labelledby is not followed then
  hiddenToo: boolean; // the element that aria-labelledby refers to is hidden, so its hidden content is read
}

// ---- answers to Python

// An element in an answer. `changes` is the document's change count so far.
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

// The failure to act on an element, as reported to Python. `how` is the variant of `fail`. `by` is the responsible
// element; null for the element itself or if there is none.
interface Failure {
  fail: string;
  how?: string;
  by?: Cause | null;
}

type NamedFailure = Named & Failure;

// Answer again only when the state differs from `state`, or after `limit` ms.
// The only element that matches, or the number of matches with the first of them.
type Found = { number: number } | { matches: number, first: number[] };

// A condition for a text: a part of it in any case, all of it if `exact`, or a regular expression.
type TextMatcher = { text: string, exact: boolean } | { regex: string, flags: string };

// One step of a Playwright locator; see accessibility/search/playwright_locator.py.
type LocateStep =
  | { kind: "role", role: string, text?: TextMatcher, states?: Record<string, string | number | boolean> }
  | { kind: "text" | "label" | "hasText" | "hasNotText", text: TextMatcher }
  | { kind: "attribute", name: string, text: TextMatcher }
  | { kind: "testId", names: string[], text: TextMatcher }
  | { kind: "css", selector: string }
  | { kind: "nth", index: number }
  | { kind: "visible" };

// A generated locator, and facts about the element for the code that uses it.
interface GeneratedSteps {
  steps: LocateStep[];
  isClosed: boolean;
  role: string;
  control: string;
  hasList: boolean;
}

// The matches of a locator in one document. `text` is that of the first visible one.
interface VisibleMatches {
  visible: number;
  hidden: number;
  first: number | null; // number of the first visible match
  text: string;
}

// What a control holds. `kind` is the place of the value: the property `value`, an attribute, or the text; "none" for
// an element that holds no value.
interface HeldValue {
  kind: "checked" | "value" | "aria-valuenow" | "text" | "none";
  checked?: boolean;
  values?: string[];
  isSecret?: boolean;
}

// An element around another one, and the steps that only this element matches.
interface Container {
  element: Element | null; // null for the whole document, without steps
  steps: LocateStep[];
}

interface Question {
  state: string;
  limit: number;
}

interface Again {
  again: Question | null; // null for the first call
}

// An answer that may change; `state` is equal for answers with the same meaning.
type Passing<T> = T & { state: string; isPageAnimated: boolean };

// Milliseconds: the timeout of an action, and the time to wait without a sign of progress.
interface Waiting {
  timeout: number;
  patience: number;
}

// An option of a control.
interface Choice {
  element: Element;
  value: string | null;
  texts: string[];
  isOff: boolean;
}

interface Offer {
  offered: string[]; // labels of the options that can be chosen
  more: number; // number of further options
}

// The properties of the kinds of CSS rules; each kind has its own.
type AnyRule = CSSRule & Partial<Pick<CSSImportRule, "styleSheet"> & Pick<CSSGroupingRule, "cssRules">>;

// One overload of each method, because the other overloads cannot be used with `call`.
interface Scrolling {
  scrollBy(this: Element, options: ScrollToOptions): void;
  scrollTo(this: Element, options: ScrollToOptions): void;
}

// KeyframeEffect is the only kind of effect. A transition also has the name of its property.
type RunningAnimation = Animation & { effect: KeyframeEffect | null; transitionProperty?: string };

// ---- declarations that the type checker lacks

interface NavigateEvent {
  readonly downloadRequest: string | null;
}

interface HTMLElement {
  readonly editContext: { text: string; selectionStart: number; selectionEnd: number } | null;
}

interface Window {
  viewpointDownload?: (message: string) => void;
}

// ---- whether an element can be hit, as `page/actions/hit/inpage_answers.py` reads it

// An obstacle and the element that causes it; null for the target itself, or if no element can be named.
interface Reason {
  how: string;
  by: Element | null;
}

interface Obstacle extends Partial<Reason> {
  fail: string;
  hit?: Element | null; // of a covering element: the hit target; null if only the dialog is known
}

interface Covering {
  by: Element;
  hit?: Element | null;
}

// The result of one attempt to find a hit point.
type Attempt = (Partial<Obstacle> & { point: Point }) | (Obstacle & { point?: undefined });

type AnimationKind = "none" | "finite" | "endless";

interface CoverFacts {
  signs: string[]; // kinds of signs that it will disappear by itself
  offersAction: boolean;
  isLabelled: boolean;
}

interface Motion {
  moved: number; // the largest distance between successive drawn frames, in CSS pixels
  isHit: boolean;
  isStill: boolean;
  hasFrame: boolean;
}

// The result of one actionability check. In an answer, a responsible element is described.
interface Look<Found = Obstacle> {
  state: string; // equal for looks with the same meaning, see `untilChanged`
  point: Point | null; // in CSS pixels of this frame's viewport; null with an obstacle
  obstacle: Found | null;
  cover: CoverFacts | null; // for a covering element
  motion: Motion | null; // null with an obstacle
  animation: AnimationKind; // of the animations that may move the element
  isPageAnimated: boolean; // an animation in the document will end
}

interface HitFacts extends Named, Look<Failure> {
  isHidden: boolean; // the tab is hidden, so the browser draws no frames
  isAimed: boolean; // the press that follows is watched
}

interface GoneFacts {
  state: "gone";
  obstacle: Gone;
}

// The result of a hit test at a point: nothing, the page background (without `by`), or an element. `inner` is the point
// in the child frame that the element shows.
interface Spot {
  hit?: number;
  inner?: Point | null;
  by?: Cause;
}

// ---- arguments and answers of the functions that Python calls

// The answer of a call that may number elements, and the lowest free number.
interface Numbered<T> {
  value: T;
  next: number;
}

interface WalkOptions {
  root?: number | null;
  allRefs?: boolean; // number all nodes
  boxes?: boolean; // include the box of each numbered node
  hidden?: boolean; // print invisible elements too
  since?: number; // stamp of an earlier walk
}

// The result of a walk.
interface Walked {
  changes: number; // change count of the document so far
  hosts: number; // number of elements that may have a closed shadow root, see dom/closed_shadow.js
  withoutRef: number; // number of nodes without a ref, see `numberSecond`
  leftOut: number; // number of invisible elements that are not printed
  stamp: number; // stamp of the walk; 0 if it cannot be reused
  title: string;
  baseUrl: string; // of relative addresses
  nodes: PrintedChild[];
  drawings: Drawing[];
}

// What a drawing shows. `state` differs if it shows something else. `shapes` is the number of shapes that were added to
// an SVG graphic so far, less those removed; null for a canvas.
interface Drawing {
  id: number;
  role: string;
  name: string;
  state: number;
  shapes: number | null;
}

type Direction = "up" | "down" | "left" | "right" | "top" | "bottom";

// The scrolled distance. `by` describes the scrolled element; with `isPart`, the element that contains it. If `by` is
// missing, neither has a name.
interface Scrolled extends Point {
  by?: Named;
  isPart?: boolean;
}

interface ScrolledInside extends Scrolled, Named {
  rest: number; // px that remain to scroll in that direction
}

type SightTest = (x: number, y: number) => boolean;
type Seen = [key: string, parts: number[][]]; // each part as left, top, right, bottom

// The visible part of an element, in CSS pixels of the frame's viewport. `seen` is null if nothing is visible.
interface Revealed {
  whole: Area;
  seen: Area | null;
  isMoved: boolean;
}

interface FieldOptions {
  replace: boolean; // select the content, so that the inserted text replaces it
  typed: string;
  isKnown?: boolean; // the field was checked by `checkFields`: find it after a re-render, and omit its name
}

interface Focused extends Partial<Named> {
  kind: "text" | "value" | "keys"; // "keys": a field that receives keys for an editor
  instead?: string | null; // for "value": the value that the field would store instead; null if it accepted it
  empty?: boolean;
  hasCaret?: boolean; // the caret is at the place for the text
  endKey?: string; // the key that moves the caret to the end otherwise
  count?: number; // change count of the document so far
  isSecret?: boolean; // the field is for a password
  refused?: undefined;
}

type FocusRefused = Named & ({ refused: "focus"; by: Named | null } | { refused: "frame" });

// The selected text is cut; null for a password.
interface Selected {
  text: string | null;
  count: number;
}

// What a field contains. `reached` is true if the field or the document changed since the typing began.
interface Held {
  held: string | null; // for a password, its length
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

// Why a field cannot be filled; empty if it can.
interface Refusal extends Partial<Offer> {
  fail?: string;
  refused?: string; // "kind", "file", "value", or as in ChoiceRefused
  value?: string;
  instead?: string | null;
  least?: number;
  most?: number;
}

interface ToCheck {
  isDone?: true;
  press?: true; // press a key; the control has the focus
  number?: number; // element to click if no key works
}

interface ListOptions extends Waiting {
  isKnown?: boolean;
}

interface ListState {
  isOpen: boolean; // its options are visible
  isMultiple: boolean | null; // null if unknown
  selected: string[];
  shown: string; // the text of the control
}

interface FoundOption {
  number: number;
  label: string;
  isChosen: boolean;
}

// Why a choice is impossible.
type ChoiceRefused = { refused: "several" } | ({ refused: "missing" | "off"; value: string; isReadonly?: boolean } & Offer);

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

// The result of a choice in a native list.
interface Choosing extends Refusal {
  kind?: "select" | "datalist" | "list";
  chosen?: string[]; // for "select"
  hasChanged?: boolean;
  text?: string; // for "datalist": the text to type
}
