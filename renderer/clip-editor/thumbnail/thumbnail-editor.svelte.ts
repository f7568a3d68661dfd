/** The thumbnail being designed: its layers, the selected size, and its preview. */
import type { Assets } from '../../../server/contract/asset.ts'
import type { Composition } from '../../../server/contract/composition.ts'
import type { ManualThumbnail } from '../../../server/contract/manual-overrides/thumbnail.ts'
import type { StudioThumbnail } from '../../../server/contract/studio-editor.ts'
import type { ThumbnailSizeName } from '../../../server/contract/thumbnail.ts'
import { thumbnailDesign } from '../../../server/nodes/index.ts'
import { call, json } from '../../state/api.ts'
import { throughOutages } from '../../state/outage.ts'
import { commonMessages } from '../../messages/common.ts'
import { sentence } from '../../ui/attempt.svelte.ts'
import { changesOf, editOf } from '../../../server/nodes/editing/clip-edit.ts'
import { oncePerClip, type OpenClip } from '../open-clip.svelte.ts'

export type ThumbnailEditor = ReturnType<typeof createThumbnailEditor>

/** The selected size and layer, and whether no person could be cut out. */
interface Seen {
  size: ThumbnailSizeName
  chosen: string | null
  unclear: boolean
}

/** The thumbnail editor of an open clip, shared by panel and stage. */
export const thumbnailEditorOf = oncePerClip(createThumbnailEditor)

/** Applies the current design to the last composition, so that dragging shows at once. */
function drawnNow(
  made: StudioThumbnail,
  design: ManualThumbnail | null,
  { language, faces, title }: Pick<OpenClip['view']['editor'], 'language' | 'faces' | 'title'>,
): { readonly composition: Composition; readonly frame: number } {
  if (design === null) return made
  const { composition } = made
  const assets: Assets = new Map(
    design.items.flatMap((item) => {
      const layer = composition.layers.find(({ id }) => id === `thumbnail:${item.id}`)
      if (item.kind !== 'picture' || layer?.kind !== 'image') return []
      return [[item.url, { state: 'ready', kind: 'image', picture: layer.asset }] as const]
    }),
  )
  const document = {
    title,
    overrides: { thumbnail: design },
    ...(language === '' ? {} : { language }),
    ...(faces === null ? {} : { faces }),
  }
  const drawn = thumbnailDesign({ composition, document, assets })
  if (drawn === null) return made
  const own = composition.layers.filter(({ id }) => drawn.clipLayers && !id.startsWith('thumbnail:'))
  return { composition: { ...composition, layers: [...own, ...drawn.layers] }, frame: drawn.frame }
}

function createThumbnailEditor(clip: OpenClip) {
  const seen = $state<Seen>({ size: 'clip', chosen: null, unclear: false })
  let made = $state.raw<StudioThumbnail | null>(null)
  let problem = $state<string | null>(null)
  let calls = 0
  const design = $derived(clip.view.edit.thumbnail ?? null)
  const shown = $derived(
    made === null ? null : drawnNow(made, design, { ...clip.view.editor, title: clip.view.edit.title }),
  )
  const chosen = $derived(design?.items.find(({ id }) => id === seen.chosen) ?? null)

  function set(next: ManualThumbnail | null, drag?: symbol): void {
    clip.change({ thumbnail: next }, drag)
  }
  function items(
    change: (before: ManualThumbnail['items']) => ManualThumbnail['items'],
    drag?: symbol,
  ): void {
    if (design !== null) set({ ...design, items: change(design.items) }, drag)
  }
  /** Composes again; call it when the clip, the design or the size has changed. */
  async function compose(): Promise<void> {
    const own = ++calls
    const { editor, edit } = clip.view
    const changes = changesOf(editOf(editor), edit) ?? { updates: {} }
    const path = `/studio/clips/${encodeURIComponent(editor.id)}/thumbnail`
    try {
      const answer = await throughOutages(
        () => call<StudioThumbnail>(path, json('POST', { ...changes, size: seen.size })),
        { isWanted: () => own === calls, onAway: () => (problem = commonMessages.applianceUnreachable) },
      )
      if (own === calls) [made, problem] = [answer, null]
    } catch (error) {
      if (own === calls) problem = sentence(error)
    }
  }
  return {
    seen,
    /** Null: chosen automatically. */
    get design() {
      return design
    },
    get chosen() {
      return chosen
    },
    /** The last composition by the appliance; null: none yet. */
    get made() {
      return made
    },
    /** That composition with the current design; null: none yet. */
    get shown() {
      return shown
    },
    get problem() {
      return problem
    },
    set,
    compose,
    /** Changes one item. */
    put: (id: string, change: Readonly<Record<string, unknown>>, drag?: symbol): void =>
      items((before) => before.map((item) => (item.id === id ? { ...item, ...change } : item)), drag),
    remove(id: string): void {
      items((before) => before.filter((item) => item.id !== id))
      if (seen.chosen === id) seen.chosen = null
    },
  }
}
