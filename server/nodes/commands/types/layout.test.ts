import { describe } from 'vitest'
import { itDoes, type CommandCase } from '../../../../test/support/command-cases.ts'
import type { ClipFaces, FaceTrack } from '../../../contract/clip-measurements.ts'
import type { CommandContext } from '../context.ts'
import type { CommandCall } from '../index.ts'

type Given = Extract<CommandCall, { name: 'layout' }>['arguments']
type Ratio = Extract<CommandCall, { name: 'aspect' }>['arguments']['ratio']
const lay = (kind: Given['kind'], at: Omit<Given, 'kind'> = {}): CommandCall => ({
  name: 'layout',
  arguments: { kind, ...at },
})
const shape = (ratio: Ratio): CommandCall => ({ name: 'aspect', arguments: { ratio } })

const facesOf = (...tracks: FaceTrack[]): ClipFaces => ({
  start: 10,
  end: 27,
  shotStarts: [],
  screens: [],
  tracks,
})
/** Source seconds at which a face is seen with its left edge, all of the same size. */
const seenAt = (...points: readonly (readonly [at: number, left: number])[]): FaceTrack['points'] =>
  points.map(([at, left]) => [at, left, 0.2, 0.2, 0.4])
const person = (
  id: number,
  points: FaceTrack['points'],
  ...speaking: readonly (readonly [start: number, end: number])[]
): FaceTrack => ({ id, points, speaking: speaking.map(([start, end]) => ({ start, end })) })

const node = (config: Record<string, unknown>) => ({ convert_to_vertical: { enabled: true, config } })
const ofRun = (enabled: boolean, config: Record<string, unknown> = {}): Partial<CommandContext> => ({
  nodes: [{ type: 'convert_to_vertical', enabled, config }] as CommandContext['nodes'],
})

const STYLES = {
  whole: { centerVertical: true, gaussian_blur: true },
  follow: { style: 'style_one', centerVertical: false, split_view: false, force_split_view: false },
  split: { style: 'style_two', centerVertical: false, split_view: true, force_split_view: true },
  fill: { style: 'style_none', centerVertical: false, split_view: false, force_split_view: false },
}
const DONE = {
  whole: 'The whole picture is shown over its blur',
  follow: 'The picture follows who speaks',
  split: 'The picture is split between people',
  fill: 'The middle of the picture fills the frame',
  automatic: 'The picture is laid out as the workflow says',
}
const NOBODY = 'No faces were measured in this clip, so there is nobody to follow.'
const FEW = 'Not enough faces were measured there.'

describe('the whole clip', () => {
  const whole = (kind: keyof typeof STYLES, more: Partial<CommandCase> = {}): CommandCase => ({
    name: kind,
    call: lay(kind),
    made: [{ layouts: null, nodes: node({ aspect_ratio: '1080:1920', ...STYLES[kind] }) }, `${DONE[kind]}.`],
    ...more,
  })
  const byHand = [{ kind: 'fit' as const, start: 11, end: 13, zoom: 1, background: 'blur' as const }]
  const others = { smart_zoom: { enabled: true, config: {} } }
  itDoes([
    whole('whole'),
    whole('split'),
    whole('fill'),
    whole('follow', { context: { faces: facesOf(person(1, [])) } }),
    { name: 'nobody measured', call: lay('follow'), refused: NOBODY },
    { name: 'nobody found', call: lay('follow'), context: { faces: facesOf() }, refused: NOBODY },
    whole('split', { name: 'split, whoever was found', context: { faces: facesOf() } }),
    whole('fill', {
      name: 'in place of what was laid out by hand',
      edit: { layouts: byHand },
      made: [
        { layouts: null, nodes: node({ aspect_ratio: '1080:1920', ...STYLES.fill }) },
        `${DONE.fill}. What was laid out by hand makes way.`,
      ],
    }),
    whole('whole', {
      name: 'beside what the run has set',
      context: { ...ofRun(false, { lost: 1 }), output: { width: 1920, height: 1080 } },
      made: [
        { layouts: null, nodes: node({ aspect_ratio: '1920:1080', ...STYLES.whole }) },
        `${DONE.whole}.`,
      ],
    }),
    whole('whole', {
      name: 'on what the run has set',
      context: ofRun(true, { smooth: 3, aspect_ratio: '1:1', enabled: true }),
      made: [
        { layouts: null, nodes: node({ smooth: 3, aspect_ratio: '1080:1920', ...STYLES.whole }) },
        `${DONE.whole}.`,
      ],
    }),
    whole('whole', {
      name: 'on what was set before, beside other nodes',
      edit: { nodes: { ...others, convert_to_vertical: { enabled: false, config: { style: 'style_one' } } } },
      made: [
        {
          layouts: null,
          nodes: { ...others, ...node({ style: 'style_one', aspect_ratio: '1080:1920', ...STYLES.whole }) },
        },
        `${DONE.whole}.`,
      ],
    }),
    {
      name: 'automatic',
      call: lay('automatic'),
      made: [{ layouts: null, nodes: null }, `${DONE.automatic}.`],
    },
    {
      name: 'automatic again',
      call: lay('automatic'),
      edit: { layouts: byHand, nodes: node({ style: 'style_one' }) },
      made: [{ layouts: null, nodes: null }, `${DONE.automatic}.`],
    },
    {
      name: 'automatic, beside other nodes',
      call: lay('automatic'),
      edit: { nodes: { ...node({}), ...others } },
      made: [{ layouts: null, nodes: others }, `${DONE.automatic}.`],
    },
  ])
})

describe('a stretch', () => {
  const range = { from: 1, to: 3 }
  const at = { start: 11, end: 13 }
  const fit = (start: number, end: number) => ({
    kind: 'fit' as const,
    start,
    end,
    zoom: 1,
    background: 'black' as const,
  })
  const blurred = { kind: 'fit' as const, ...at, zoom: 1, background: 'blur' as const }
  itDoes([
    { name: 'whole', call: lay('whole', range), made: [{ layouts: [blurred] }, `${DONE.whole}, there.`] },
    {
      name: 'of words',
      call: lay('whole', { phrase: 'three times' }),
      made: [{ layouts: [{ ...blurred, start: 13.6, end: 14.3 }] }, `${DONE.whole}, there.`],
    },
    {
      name: 'fill',
      call: lay('fill', range),
      made: [
        {
          layouts: [{ kind: 'crop', ...at, keyframes: [{ at: 11, x: 0.5, y: 0.5, zoom: 1 }], eased: false }],
        },
        `${DONE.fill}, there.`,
      ],
    },
    {
      name: 'in the middle of another',
      call: lay('whole', range),
      edit: { layouts: [fit(10, 20)] },
      made: [{ layouts: [fit(10, 11), blurred, fit(13, 20)] }, `${DONE.whole}, there.`],
    },
    {
      name: 'between others',
      call: lay('whole', range),
      edit: { layouts: [fit(10, 12), fit(12, 15), fit(16, 17)] },
      made: [{ layouts: [fit(10, 11), blurred, fit(13, 15), fit(16, 17)] }, `${DONE.whole}, there.`],
    },
    {
      name: 'over others, of which nothing that can be seen is left',
      call: lay('whole', range),
      edit: { layouts: [fit(10.96, 12), fit(12, 13.04)] },
      made: [{ layouts: [blurred] }, `${DONE.whole}, there.`],
    },
    {
      name: 'automatic in the middle of another',
      call: lay('automatic', range),
      edit: { layouts: [fit(10, 20)] },
      made: [{ layouts: [fit(10, 11), fit(13, 20)] }, `${DONE.automatic}, there.`],
    },
    {
      name: 'automatic over all of another',
      call: lay('automatic', range),
      edit: { layouts: [fit(11, 13)] },
      made: [{ layouts: null }, `${DONE.automatic}, there.`],
    },
    {
      name: 'automatic where nothing is',
      call: lay('automatic', range),
      made: [{ layouts: null }, `${DONE.automatic}, there.`],
    },
    {
      name: 'of words that are not said',
      call: lay('fill', { phrase: 'banana bread' }),
      refused: '“banana bread” is not said in this clip.',
    },
  ])
})

describe('people of a stretch', () => {
  /** 11 to 13 s. */
  const range = { from: 1, to: 3 }
  const at = { start: 11, end: 13 }
  const follows = (name: string, who: number, ...tracks: FaceTrack[]): CommandCase => ({
    name,
    call: lay('follow', range),
    context: { faces: facesOf(...tracks) },
    made: [{ layouts: [{ kind: 'follow', ...at, person: who, zoom: 1 }] }, `${DONE.follow}, there.`],
  })
  const splits = (name: string, xs: readonly [number, number], ...tracks: FaceTrack[]): CommandCase => ({
    name,
    call: lay('split', range),
    context: { faces: facesOf(...tracks) },
    made: [
      { layouts: [{ kind: 'split', ...at, views: xs.map((x) => ({ x, y: 0.4, zoom: 1.2 })) }] },
      `${DONE.split}, there.`,
    ],
  })
  const few = (name: string, kind: 'follow' | 'split', faces: ClipFaces | null): CommandCase => ({
    name,
    call: lay(kind, range),
    context: { faces },
    refused: FEW,
  })
  const left = person(4, seenAt([12, 0.1]))
  const inside = seenAt([12, 0.5])
  itDoes([
    follows('the only one', 4, left),
    follows('who speaks most there', 7, person(4, inside, [11.5, 12]), person(7, inside, [12, 20])),
    follows(
      'who speaks most there, from before',
      7,
      person(4, inside, [12, 12.5]),
      person(7, inside, [2, 12]),
    ),
    follows(
      'who speaks most in all',
      4,
      person(7, inside, [11, 11.5]),
      person(4, inside, [11, 11.4], [12, 12.4]),
    ),
    follows(
      'not who speaks elsewhere',
      7,
      person(4, inside, [11, 11.1], [2, 6]),
      person(7, inside, [12, 12.2]),
    ),
    follows(
      'who speaks there and elsewhere, before the silent',
      4,
      person(7, seenAt([11, 0], [12, 0])),
      person(4, inside, [2, 6], [11, 11.5], [18, 26]),
    ),
    follows('of the silent, who is seen most', 7, left, person(7, seenAt([11.5, 0], [12, 0]))),
    follows(
      'of the silent, who is seen most there',
      4,
      person(7, seenAt([2, 0], [3, 0], [12, 0])),
      person(4, seenAt([11.5, 0], [12, 0])),
    ),
    follows('the first of equals', 4, left, person(7, inside)),
    follows('not who is not seen', 4, person(9, seenAt([20, 0.1]), [11, 13]), left),
    follows('who is seen at its beginning', 4, person(4, seenAt([11, 0.1]))),
    follows('who is seen at its end', 4, person(4, seenAt([13, 0.1]))),
    few('nobody before or after it', 'follow', facesOf(person(4, seenAt([10.99, 0.1], [13.01, 0.1])))),
    few('nobody', 'follow', facesOf()),
    few('nobody measured', 'follow', null),
    splits('from left to right', [0.2, 0.6], person(7, inside), left),
    splits('as they stand', [0.2, 0.6], left, person(7, inside)),
    splits(
      'two of three',
      [0.2, 0.6],
      person(9, seenAt([12, 0.8])),
      person(4, seenAt([12, 0.1]), [11, 12]),
      person(7, inside, [12, 13]),
    ),
    splits(
      'the middle of where they are there',
      [0.25, 0.6],
      person(4, seenAt([10.9, 0.9], [11, 0.1], [13, 0.2], [13.1, 0.9])),
      person(7, inside),
    ),
    splits(
      'at the edges of the picture',
      [0, 1],
      person(4, seenAt([12, -0.3])),
      person(7, seenAt([12, 0.95])),
    ),
    splits(
      'in thousandths',
      [0.123, 0.679],
      person(4, seenAt([12, 0.0231])),
      person(7, seenAt([12, 0.5788])),
    ),
    few('one alone', 'split', facesOf(left)),
    few('one there', 'split', facesOf(left, person(7, seenAt([20, 0.5])))),
    few('none measured', 'split', null),
  ])
})

describe('shape', () => {
  const becomes = (name: string, ratio: Ratio, context: Partial<CommandContext> = {}): CommandCase => ({
    name,
    call: shape(ratio),
    context,
    made: [{ nodes: node({ aspect_ratio: ratio }) }, `The picture is ${ratio}.`],
  })
  const already = (ratio: Ratio, width: number, height: number): CommandCase => ({
    name: `${ratio} already, at ${width} to ${height}`,
    call: shape(ratio),
    context: { ...ofRun(true), output: { width, height } },
    refused: `The picture is ${ratio} already.`,
  })
  itDoes([
    becomes('square', '1:1'),
    becomes('wide', '16:9', ofRun(true)),
    becomes('upright, from a source that is', '9:16'),
    becomes('upright, where that was off', '9:16', ofRun(false)),
    becomes('nearly so', '4:5', { ...ofRun(true), output: { width: 81, height: 100 } }),
    becomes('nearly so, from the other side', '4:5', {
      ...ofRun(true),
      output: { width: 789, height: 1000 },
    }),
    already('9:16', 1080, 1920),
    already('4:5', 809, 1000),
    already('4:5', 791, 1000),
    already('1:1', 720, 720),
    already('16:9', 1920, 1080),
    {
      name: 'what was set before stays',
      call: shape('1:1'),
      edit: { layouts: [], nodes: node({ style: 'style_one', aspect_ratio: '4:5' }) },
      made: [{ nodes: node({ style: 'style_one', aspect_ratio: '1:1' }) }, 'The picture is 1:1.'],
    },
  ])
})
