/** All kinds of graphics cards that decode, in the order in which they are tried. PURE. */
import type { Card, CardName } from './card.ts'
import { cuda } from './cuda.ts'
import { qsv } from './qsv.ts'
import { vaapi } from './vaapi.ts'
import { videotoolbox } from './videotoolbox.ts'

export const CARDS: readonly Card[] = [cuda, videotoolbox, qsv, vaapi]

export const findCard = (name: CardName): Card | undefined => CARDS.find((card) => card.name === name)
