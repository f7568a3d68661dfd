import { declareHandPart } from './declare.ts'

/** Pictures, videos and texts that are laid over stretches of the clip. */
export const handOverlays = declareHandPart({ name: 'overlays' })
