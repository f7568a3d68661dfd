/** Brand kits: made, saved and deleted; applied by workflows and to many clips, and taken back. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BrandKit, BrandKits } from '../../server/contract/branding.ts'
import type { ClipEditMade, ClipEditUndone } from '../../server/contract/clip-edits.ts'
import type { StudioWorkflowPreview } from '../../server/contract/studio-workflow.ts'
import { clips, runs } from '../../server/db/schema.ts'
import { importWorkflow } from '../../server/domain/workflows/workflows.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import {
  addClip,
  addCompany,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let editor: SignedIn
let kit: BrandKit
beforeAll(async () => {
  server = await startTestServer()
  editor = signInAs(server, 'editor')
})
afterAll(() => server.close())

const PATH = '/studio/brand-kits'
const LOOK = {
  text_color: '#fafafa',
  accent_color: '#ff0066',
  font_url: 'https://example.com/brand.woff2',
  watermark_config: { url: 'https://example.com/logo.png', position: 7 },
  subtitle_config: { styleId: 'karaoke' },
  background_music_option: { url: 'https://example.com/theme.mp3', volume: 0.2 },
  outro_card_url: 'https://example.com/outro.png',
  intro_url: 'https://example.com/intro.mp4',
  lower_third: { seconds: 3 },
}
const list = async () => (await editor.call(PATH)).json<BrandKits>().kits
const codeOf = (answer: { json: <T>() => T }) => answer.json<{ code?: string }>().code

/** A workflow that applies the kit. */
const brandedNodes = (id: string, config: Record<string, unknown> = {}) => [
  { id: 'a', type: 'find_clips', config: {} },
  { id: 'b', type: 'add_subtitles', config: {} },
  { id: 'c', type: 'apply_branding', config: { brand_kit_id: id, ...config } },
]

describe('a brand kit', () => {
  it('is made with a name of its own, saved, and not overwritten by who saw an older one', async () => {
    const made = await editor.call(PATH, { json: { name: '  Lindenhof ' } })
    expect(made.status, made.text).toBe(200)
    kit = made.json<{ kit: BrandKit }>().kit
    expect([kit.name, kit.look, kit.revision]).toEqual(['Lindenhof', {}, 1])
    expect(codeOf(await editor.call(PATH, { json: { name: 'lindenhof' } }))).toBe('INVALID_REQUEST')
    const json = { revision: 1, name: 'Lindenhof', look: LOOK }
    const saved = await editor.call(`${PATH}/${kit.id}`, { method: 'PUT', json })
    expect(saved.status, saved.text).toBe(200)
    kit = saved.json<{ kit: BrandKit }>().kit
    expect(kit.look).toEqual(LOOK)
    expect(codeOf(await editor.call(`${PATH}/${kit.id}`, { method: 'PUT', json }))).toBe(
      'PRECONDITION_FAILED',
    )
    expect(await list()).toEqual([kit])
  })

  it('is refused where it sets what no brand has', async () => {
    const json = { revision: 2, name: 'Lindenhof', look: { watermark_config: { position: 'top' } } }
    expect(codeOf(await editor.call(`${PATH}/${kit.id}`, { method: 'PUT', json }))).toBe('INVALID_REQUEST')
  })

  it('is nobody else’s: not another company’s, and not a viewer’s to change', async () => {
    const { key } = addCompany(server, 'other')
    expect((await server.call(PATH, { key })).json<BrandKits>().kits).toEqual([])
    const json = { revision: 2, name: 'Mine now', look: {} }
    expect((await server.call(`${PATH}/${kit.id}`, { method: 'PUT', json, key })).status).toBe(404)
    expect((await server.call(`${PATH}/${kit.id}`, { method: 'DELETE', key })).status).toBe(404)
    const viewer = signInAs(server, 'viewer')
    expect((await viewer.call(PATH)).status).toBe(200)
    expect((await viewer.call(PATH, { json: { name: 'Viewed' } })).status).toBe(403)
  })

  it('is part of every run of a workflow that names it, as it was when the run began', async () => {
    const { companyId, services } = server
    const nodes = brandedNodes(kit.id, { watermark_config: { opacity: 0.5 } })
    const edges = [
      { source: 'a', target: 'b' },
      { source: 'b', target: 'c' },
    ]
    const { workflowId } = importWorkflow(services, { companyId, file: { name: 'Branded', nodes, edges } })
    const started = await server.call('/trigger-template', {
      json: { workflowId, companyId, url: 'https://example.com/talk.mp4' },
    })
    expect(started.status, started.text).toBe(200)
    const { triggerId } = started.json<{ triggerId: string }>()
    const row = services.db.orm.select().from(runs).where(eq(runs.id, triggerId)).get()
    const config = row?.snapshot.nodes.find(({ type }) => type === 'apply_branding')?.config
    expect(config).toMatchObject({
      brand_kit_id: kit.id,
      // What the node sets goes over the kit.
      watermark_config: { url: LOOK.watermark_config.url, position: 7, opacity: 0.5 },
      subtitle_config: { styleId: 'karaoke', amplifiedColor: '#ff0066', fontUrl: LOOK.font_url },
      lower_third: { seconds: 3, fontColor: '#fafafa' },
      outro_card_url: LOOK.outro_card_url,
    })
    // Colours alone make no headline.
    expect(config).not.toHaveProperty('title_config')
    expect((await list())[0]?.workflows).toEqual([{ id: workflowId, name: 'Branded' }])
    const kept = await editor.call(`${PATH}/${kit.id}`, { method: 'DELETE' })
    expect(kept.json<{ error: string }>().error).toBe(
      'It is applied by “Branded”. Choose another brand kit there first.',
    )
  })

  it('is seen in the preview of a workflow', async () => {
    const json = {
      nodes: brandedNodes(kit.id),
      edges: [
        { source: 'a', target: 'b' },
        { source: 'b', target: 'c' },
      ],
    }
    const shown = await editor.call('/studio/workflow-preview', { json })
    expect(shown.status, shown.text).toBe(200)
    const { layers } = shown.json<StudioWorkflowPreview>().composition
    const names = layers.flatMap((layer) => (layer.id.startsWith('brand-name:') ? [layer] : []))
    expect(names.map((layer) => ('text' in layer ? layer.text : ''))).toEqual(['Maya', 'Ruben'])
    const other = await editor.call('/studio/workflow-preview', {
      json: { ...json, nodes: brandedNodes('gone') },
    })
    expect(codeOf(other)).toBe('INVALID_NODE_CONFIG')
  })
})

describe('clips', () => {
  const documentOf = (clipId: string) => {
    const row = server.services.db.orm.select().from(clips).where(eq(clips.id, clipId)).get()
    const { editedBy: _by, earlierRenders: _renders, ...document } = row?.document ?? ({} as never)
    return document
  }
  const brand = (clipId: string, brandKitId: string | undefined) =>
    editor.call(`/studio/clips/${clipId}/edits`, { json: { editId: 'branded-all', brandKitId } })

  it('get a kit at once, keep the words of their headline, and are taken back', async () => {
    const workflowId = addWorkflow(server)
    const ids = ['Ada', 'Bob'].map((title) => {
      const runId = addRun(server, { workflowId })
      addFacts(server, runId)
      const document = {
        title,
        subtitleConfig: { styleId: 'pill' },
        titleConfig: { titlePresetId: 'clean', text: `Of ${title}` },
      }
      return addClip(server, { workflowId, runId, document, row: { title } })
    })
    const before = ids.map(documentOf)
    for (const id of ids) {
      const answer = await brand(id, kit.id)
      expect(answer.json<ClipEditMade>()).toEqual({ state: 'done', why: null })
    }
    const [first = ''] = ids
    const document = documentOf(first)
    expect(document).toMatchObject({
      subtitleConfig: { styleId: 'karaoke', amplifiedColor: '#ff0066' },
      titleConfig: { text: 'Of Ada', fontColor: '#fafafa' },
      watermarkConfig: LOOK.watermark_config,
      backgroundMusicOption: LOOK.background_music_option,
      endCardOption: { url: LOOK.outro_card_url },
    })
    expect(document.overrides?.nodes?.['apply_branding']?.config).toEqual({
      intro_url: LOOK.intro_url,
      lower_third: { seconds: 3, fontColor: '#fafafa', fontUrl: LOOK.font_url },
    })
    expect((await brand(first, kit.id)).json()).toEqual({ state: 'unchanged', why: null })
    expect((await brand(first, 'gone')).status).toBe(404)
    expect(codeOf(await brand(first, undefined))).toBe('INVALID_REQUEST')
    const undone = await editor.call('/studio/clip-edits/branded-all/undo', { json: {} })
    expect(undone.json<ClipEditUndone>().restored).toEqual(ids)
    expect(ids.map(documentOf)).toEqual(before)
  })
})
