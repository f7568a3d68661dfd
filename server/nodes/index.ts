/**
 * PURE: workflow nodes, how a run's overrides reach them, and what they make of a clip. May import server/contract
 * only. No I/O, clock or randomness: the same input gives the same value on the server and in the studio.
 */
export { resolveNodes } from './resolve.ts'
export { overridesFromBody, type NodeOverrides } from './overrides.ts'
export { withoutOldFile } from './merge.ts'
export { configProblem, validateGraph } from './resolve.ts'
export {
  analysisNeeds,
  findClipsSettings,
  outputShape,
  rendersEverything,
  waitsForReview,
} from './settings.ts'
export { brandedEdit, brandingOf, withBrandKits } from './branding/kit.ts'
export { editableConfigs, headlinePrompt, newClipDocument } from './clip-document.ts'
export {
  compileComposition,
  editedWords,
  neededMeasurements,
  withPlayedTimes,
  type Compiled,
  type CompileInput,
} from './compose/compile-composition.ts'
export { deliveredProfile } from './compose/document-nodes.ts'
export { withReviewWatermark } from './compose/review-watermark.ts'
export { thumbnailPlan } from './compose/thumbnail.ts'
export { thumbnailDesign, type ThumbnailDesign } from './compose/thumbnail-design.ts'
export { thumbnailShape } from './compose/thumbnail.ts'
export { DEFAULT_WORKFLOWS } from './default-workflows.ts'
export { WORKFLOW_TEMPLATES } from './templates/registry.ts'
export { NODES, NODE_TYPES, nodeDefinition, isNodeType, type NodeType } from './registry.ts'
export { CAPTION_PRESETS } from './presets/captions.ts'
export { TITLE_PRESETS } from './presets/titles.ts'
export { normaliseSubtitleConfig, writeThroughToFirstSpeaker } from './types/add-subtitles.ts'
export { clipBroll } from './broll/clip-broll.ts'
export { brollSettings } from './broll/clip-broll.ts'
export { cleanTags, stemsOf, tagsOfName } from './broll/words.ts'
export { findOverrideProblem, applyOverrides } from './manual-overrides/index.ts'
export { MAX_KEYFRAMES } from './manual-overrides/layouts.ts'
export { viewAt, viewOfRect, viewRect } from './manual-overrides/arrange-layout.ts'
export { faceAt } from './layout/seen.ts'
export { paneRects } from './layout/panes.ts'
export { cropAt, paneAt, shownParts } from './layout/view-at.ts'
export { shortAddress } from './pictures/asset.ts'
export { requiredAssets, requiredAssetsOfRun, listSecondVideoCategories } from './pictures/required.ts'
export { detectTextLanguage } from './compose/language.ts'
