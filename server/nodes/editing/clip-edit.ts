/** What can be edited of a clip, as one value, and what an edit changes. PURE. */
import type { ManualOverrides } from '../../contract/manual-overrides.ts'
import type { StudioEditor } from '../../contract/studio-editor.ts'
import type { ClipCut } from '../../contract/time-map/cut.ts'

type Config = Readonly<Record<string, unknown>>

/** What can be edited, as one value. */
export interface ClipEdit {
  readonly cut: ClipCut
  readonly title: string
  readonly subtitleConfig: Config
  readonly titleConfig: Config
  readonly watermarkConfig: Config
  readonly backgroundMusicOption: Config
  readonly endCardOption: Config
  readonly motionConfig: Config
  readonly deliveryConfig: Config
  readonly soundConfig: Config
  /** Parts that are set as manual overrides; null: left to the nodes. */
  readonly layouts: ManualOverrides['layouts'] | null
  readonly zooms: ManualOverrides['zooms'] | null
  readonly overlays: ManualOverrides['overlays'] | null
  readonly broll: ManualOverrides['broll'] | null
  readonly nodes: ManualOverrides['nodes'] | null
  readonly speakers: ManualOverrides['speakers'] | null
  readonly thumbnail: ManualOverrides['thumbnail'] | null
}

/** The clip as the appliance has it. */
export const editOf = (editor: StudioEditor): ClipEdit => ({
  cut: {
    startTimestamp: editor.startTimestamp,
    endTimestamp: editor.endTimestamp,
    segments: editor.segments,
  },
  title: editor.title,
  subtitleConfig: editor.subtitleConfig,
  titleConfig: editor.titleConfig,
  watermarkConfig: editor.watermarkConfig,
  backgroundMusicOption: editor.backgroundMusicOption,
  endCardOption: editor.endCardOption,
  motionConfig: editor.motionConfig,
  deliveryConfig: editor.deliveryConfig,
  soundConfig: editor.soundConfig,
  layouts: editor.overrides.layouts ?? null,
  zooms: editor.overrides.zooms ?? null,
  overlays: editor.overrides.overlays ?? null,
  broll: editor.overrides.broll ?? null,
  nodes: editor.overrides.nodes ?? null,
  speakers: editor.overrides.speakers ?? null,
  thumbnail: editor.overrides.thumbnail ?? null,
})

/** Fields as people call them, in the order in which they are named; `public`: a field of the API, `hand`: the studio's. */
export const EDIT_FIELDS = [
  { name: 'cut', label: 'the cut', kind: 'cut' },
  { name: 'title', label: 'the title', kind: 'public' },
  { name: 'subtitleConfig', label: 'the captions', kind: 'public' },
  { name: 'titleConfig', label: 'the title card', kind: 'public' },
  { name: 'watermarkConfig', label: 'the watermark', kind: 'public' },
  { name: 'backgroundMusicOption', label: 'the music', kind: 'public' },
  { name: 'endCardOption', label: 'the end card', kind: 'public' },
  { name: 'motionConfig', label: 'the transitions', kind: 'public' },
  { name: 'deliveryConfig', label: 'the finished file', kind: 'public' },
  { name: 'soundConfig', label: 'the sound', kind: 'public' },
  { name: 'layouts', label: 'the layout', kind: 'overrides' },
  { name: 'zooms', label: 'the zooms', kind: 'overrides' },
  { name: 'overlays', label: 'the overlays', kind: 'overrides' },
  { name: 'broll', label: 'the b-roll', kind: 'overrides' },
  { name: 'nodes', label: 'what is done to the clip', kind: 'overrides' },
  { name: 'speakers', label: 'the names of speakers', kind: 'overrides' },
  { name: 'thumbnail', label: 'the thumbnail', kind: 'overrides' },
] as const satisfies readonly {
  readonly name: keyof ClipEdit
  readonly label: string
  readonly kind: 'cut' | 'public' | 'overrides'
}[]

/** The names of the fields in which two edits differ, as people call them. */
export const differences = (before: ClipEdit, after: ClipEdit): string[] =>
  EDIT_FIELDS.filter(({ name }) => !same(before[name], after[name])).map(({ label }) => label)

/** What is sent to have an edit composed or saved. Fields are sent whole. */
export interface Changes {
  readonly updates: Readonly<Record<string, unknown>>
  readonly overrides?: Readonly<Record<string, unknown>>
}

/** The changes that make `next` of `base`; null for none. */
export function changesOf(base: ClipEdit, next: ClipEdit): Changes | null {
  const changed = EDIT_FIELDS.filter(({ name }) => !same(base[name], next[name]))
  if (changed.length === 0) return null
  const valuesOf = (kind: 'public' | 'overrides') =>
    Object.fromEntries(changed.filter((field) => field.kind === kind).map(({ name }) => [name, next[name]]))
  const { startTimestamp, endTimestamp, segments } = next.cut
  const cut = changed.some(({ kind }) => kind === 'cut')
    ? { startTimestamp, endTimestamp, segments: [...segments] }
    : {}
  const overrides = valuesOf('overrides')
  return {
    updates: { ...cut, ...valuesOf('public') },
    ...(Object.keys(overrides).length === 0 ? {} : { overrides }),
  }
}

/** Whether two JSON values are equal, whatever the order of their members. */
export const same = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** The same value with the members of its objects in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
