import { declareHandPart, stretchProblem } from './declare.ts'

/** Stretches that are laid out by hand. */
export const handLayouts = declareHandPart({
  name: 'layouts',
  check: (layouts) => stretchProblem('layouts', layouts),
})
