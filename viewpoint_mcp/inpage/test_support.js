// The API object with the functions for tests (`--caps testing`, `--codegen`). Other servers do not load these modules.

import { api } from "./api.js";
import { generateLocator } from "./locators/generate.js";
import { heldValue, itemTexts, visibleMatches } from "./locators/verify.js";

Object.assign(api, { generateLocator, visibleMatches, itemTexts, heldValue });
