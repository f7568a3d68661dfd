/** Templates for thumbnails from the clip's title and colours, and new layers. PURE. */
import type { ClipFaces } from '../../../server/contract/clip-measurements.ts'
import type { ManualThumbnail, ThumbnailItem } from '../../../server/contract/manual-overrides/thumbnail.ts'
import { thumbnailTitle } from '../../../server/nodes/compose/thumbnail-design.ts'
import { thumbnail as messages } from '../../messages/picture.ts'

type Items = ManualThumbnail['items']
export type ItemOf<Kind extends ThumbnailItem['kind']> = Extract<ThumbnailItem, { kind: Kind }>

/** What a template uses. */
export interface Ingredients {
  readonly title: string
  /** The brand's own, first, and others. */
  readonly colours: readonly string[]
  readonly source: { readonly width: number; readonly height: number }
  /** The largest face at the moment, shares of the source. */
  readonly face: { readonly x: number; readonly y: number; readonly width: number } | null
}

export interface Template {
  readonly name: string
  readonly items: (given: Ingredients) => Items
}

/** The title, shortened to fit on a thumbnail. */
const shortTitle = (title: string): string => thumbnailTitle(title, messages.yourText)

/** Long titles are set smaller; reference units. */
const fontSizeFor = (title: string, largest: number): number =>
  Math.round(largest * Math.min(1, Math.max(0.5, Math.sqrt(24 / Math.max(1, [...title].length)))))

export const newText = (id: string, over: Partial<ItemOf<'text'>> = {}): ItemOf<'text'> => ({
  kind: 'text',
  id,
  xPercent: 50,
  yPercent: 50,
  text: messages.yourText,
  fontFamily: 'Montserrat',
  fontSize: 120,
  fontWeight: 800,
  upperCase: false,
  align: 'center',
  widthPercent: 90,
  colour: '#ffffff',
  outlineColour: '#000000',
  outlineWidth: 10,
  background: '',
  ...over,
})

export const newShape = (id: string, over: Partial<ItemOf<'shape'>> = {}): ItemOf<'shape'> => ({
  kind: 'shape',
  id,
  xPercent: 50,
  yPercent: 50,
  form: 'rect',
  widthPercent: 60,
  heightPercent: 15,
  radius: 24,
  colour: '#ffd60a',
  colourTo: '',
  opacity: 1,
  ...over,
})

/** Of a person: how wide it is for the face, how high for its width, and how far down the face is. */
const PERSON = { faces: 3.8, ratio: 1.15, down: 0.36 }

/** The person of the face, with head and shoulders; without a face, a round part of the upper half. */
export function newCutout(
  id: string,
  given: Ingredients,
  over: Partial<ItemOf<'cutout'>> = {},
): ItemOf<'cutout'> {
  const { face, source } = given
  const ring = { ringColour: given.colours[0] ?? '#ffd60a', ringWidth: 16 }
  if (face === null)
    return {
      kind: 'cutout',
      id,
      xPercent: 50,
      yPercent: 35,
      form: 'ellipse',
      sizePercent: 55,
      ratio: 1,
      fromX: 50,
      fromY: 42,
      fromWidth: Math.min(90, Math.round((55 * source.height) / source.width)),
      ...ring,
      ...over,
    }
  const percent = (share: number): number => Math.round(Math.min(100, Math.max(0, share * 100)) * 10) / 10
  const width = Math.min(
    1,
    source.height / source.width / PERSON.ratio,
    Math.max(0.08, face.width * PERSON.faces),
  )
  const height = (width * PERSON.ratio * source.width) / source.height
  return {
    kind: 'cutout',
    id,
    xPercent: 50,
    yPercent: 45,
    form: 'person',
    sizePercent: 80,
    ratio: PERSON.ratio,
    fromX: percent(face.x),
    fromY: percent(face.y + (0.5 - PERSON.down) * height),
    fromWidth: percent(width),
    ...ring,
    ...over,
  }
}

const shade = (id: string, over: Partial<ItemOf<'shape'>>): ItemOf<'shape'> =>
  newShape(id, { widthPercent: 100, heightPercent: 100, radius: 0, colour: '#000000', ...over })

export const TEMPLATES: readonly Template[] = [
  {
    name: messages.templateNames.headline,
    items: ({ title, colours }) => [
      shade('shade', { yPercent: 75, heightPercent: 50, colour: '#00000000', colourTo: '#000000e6' }),
      newText('title', {
        text: shortTitle(title),
        followsTitle: true,
        fontFamily: 'Anton',
        fontWeight: 400,
        upperCase: true,
        yPercent: 76,
        fontSize: fontSizeFor(shortTitle(title), 190),
        outlineColour: '',
        outlineWidth: 0,
      }),
      newShape('line', {
        yPercent: 96,
        widthPercent: 30,
        heightPercent: 1.2,
        radius: 12,
        colour: colours[0] ?? '#ffd60a',
      }),
    ],
  },
  {
    name: messages.templateNames.sticker,
    items: ({ title, colours }) => [
      newText('title', {
        text: shortTitle(title),
        followsTitle: true,
        fontFamily: 'Montserrat',
        fontWeight: 800,
        yPercent: 22,
        fontSize: fontSizeFor(shortTitle(title), 130),
        colour: '#111114',
        outlineColour: '',
        outlineWidth: 0,
        background: colours[0] ?? '#ffd60a',
      }),
    ],
  },
  {
    name: messages.templateNames.portrait,
    items: (given) => [
      shade('ground', { colour: given.colours[1] ?? '#1d4ed8', opacity: 0.82 }),
      newCutout('face', given, given.face === null ? { yPercent: 32, sizePercent: 52 } : { yPercent: 42 }),
      newText('title', {
        text: shortTitle(given.title),
        followsTitle: true,
        fontFamily: 'Bebas Neue',
        fontWeight: 400,
        yPercent: 81,
        fontSize: fontSizeFor(shortTitle(given.title), 190),
        outlineColour: '',
        outlineWidth: 0,
      }),
    ],
  },
  {
    name: messages.templateNames.outline,
    items: ({ title, colours }) => [
      newText('title', {
        text: shortTitle(title),
        followsTitle: true,
        fontFamily: 'Poppins',
        fontWeight: 800,
        upperCase: true,
        yPercent: 70,
        fontSize: fontSizeFor(shortTitle(title), 150),
        colour: colours[0] ?? '#ffd60a',
        outlineColour: '#000000',
        outlineWidth: 16,
      }),
    ],
  },
]

/** The middle and the width of the largest face within half a second of a moment. */
export function faceNear(faces: ClipFaces | null, second: number): Ingredients['face'] {
  const near = (faces?.tracks ?? []).flatMap(({ points }) =>
    points.filter(([at]) => Math.abs(at - second) <= 0.5 || points.length === 2),
  )
  const [largest] = near.toSorted((a, b) => b[3] * b[4] - a[3] * a[4])
  if (largest === undefined) return null
  const [, x, y, width, height] = largest
  return { x: x + width / 2, y: y + height / 2, width }
}

/** What a text shows: its own, or the title of the clip where it follows that. */
export const textOf = ({ text, followsTitle }: ItemOf<'text'>, title: string): string =>
  followsTitle === true ? thumbnailTitle(title, text) : text

/** Name of an item in the list. `title`: of the clip. */
export function nameOf(item: ThumbnailItem, title: string): string {
  switch (item.kind) {
    case 'text':
      return messages.textLayer(textOf(item, title))
    case 'shape':
      return item.form === 'rect' ? messages.rectangle : messages.ellipse
    case 'picture':
      return messages.picture
    case 'cutout':
      return item.form === 'person' ? messages.personCutout : messages.frameCutout
  }
}
