/** Files of the library in whole runs: access by company, and the second video that is picked from them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedFileAddress } from '../../server/contract/asset.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { listItems } from '../../server/db/library.ts'
import { companies } from '../../server/db/schema.ts'
import { ownedFiles } from '../../server/domain/library/quota.ts'
import { addLibraryItem, folderNamed, deleteLibraryItem } from '../../server/domain/library/library.ts'
import { h264, makeMedia } from '../support/make-media.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import { openRunEnvironment, pinned, type MadeClip, type RunEnvironment } from '../support/run-environment.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { colourOf } from './render-support.ts'

let house: RunEnvironment
let root: string
let services: RunEnvironment['services']
let talk: TinyTalk

beforeAll(async () => {
  house = await openRunEnvironment()
  ;({ root, services } = house)
  talk = await makeTinyTalk(root)
  const other = { id: 'd', name: 'D', plan: 'starter' as const, features: [], createdAt: 1 }
  house.db.orm.insert(companies).values(other).run()
})
afterAll(() => house.close())

const following = { signal: new AbortController().signal, onProgress: () => undefined }

const runOf = (companyId: string, nodes: ResolvedNode[]): Promise<MadeClip> =>
  house.clipOf(talk.video, [pinned(4, 8), ...nodes], companyId)

const isRed = ([r, g, b]: readonly [number, number, number]) => r > 225 && g < 30 && b < 30
/** 20 % of 320 is 64x32 in the corner at the top left, 5 % is 16. */
const LOGO = '40:16:28:24'

describe('a file of one company', () => {
  it('is used by that company alone, however its SHA-256 became known', async () => {
    await writeFile(join(root, 'red.png'), await plainPng(64, 32, '#ff0000'))
    const { item } = await addLibraryItem(
      services,
      { companyId: 'c', path: join(root, 'red.png'), tags: [] },
      following,
    )
    const digest = listItems(house.db, 'c').find(({ id }) => id === item.id)?.digest ?? ''
    expect([ownedFiles(services, 'c')(digest), ownedFiles(services, 'd')(digest)]).toEqual([true, false])
    const watermark = { url: storedFileAddress(digest), position: 1, size: 20, padding: 5 }
    const nodes = [node('add_watermark', { watermark_config: watermark })]
    const mine = await runOf('c', nodes)
    const theirs = await runOf('d', nodes)
    const refused =
      'is left out: No file of this company has this SHA-256. Add it to the library first: cutroom library add FILE'
    expect(mine.warnings).toEqual([])
    expect(isRed(await colourOf(mine.file, 20, LOGO))).toBe(true)
    expect(theirs.warnings).toEqual([expect.stringContaining(refused)])
    expect(isRed(await colourOf(theirs.file, 20, LOGO))).toBe(false)

    // By an edit, and as b-roll in a document: the same refusal. What the company has fetched, its own source, is its own.
    const insert = {
      id: 'i',
      start: 6,
      end: 7.5,
      provider: 'library' as const,
      kind: 'image' as const,
      url: storedFileAddress(digest),
      sourceStart: 0,
      matched: 'x',
      name: 'x',
      credit: '',
    }
    const endCardOption = { url: storedFileAddress(digest), duration: 1 }
    const bare = await runOf('d', [node('add_broll', {})])
    const file = await house.editAndRender(bare.clip, { endCardOption, broll: { inserts: [insert] } })
    for (const frame of [70, 110]) expect(isRed(await colourOf(file, frame, '100:60:100:60'))).toBe(false)
    const said = house.warningsOf(bare.runId).filter((warning) => warning.includes('No file of this company'))
    expect(said.length).toBeGreaterThanOrEqual(2)
    expect(ownedFiles(services, 'd')(theirs.clip.sourceDigest)).toBe(true)
  }, 60_000)
})

describe('add_brainrot without an address', () => {
  const COLOURS = { green: '0x00ff00', blue: '0x0000ff', red: '0xff0000' } as const
  const ids = new Map<string, string>()

  beforeAll(async () => {
    for (const [name, colour] of Object.entries(COLOURS)) {
      const picture = ['-f', 'lavfi', '-i', `color=${colour}:size=320x180:rate=25:duration=1`]
      await makeMedia(root, `${name}.mp4`, [...picture, ...h264()])
    }
    const folder = (name: string) => folderNamed(services, { companyId: 'c', name }).id
    const add = async (name: string, tags: string[], folderId: string | null) => {
      const input = { companyId: 'c', path: join(root, `${name}.mp4`), tags, folderId, tagByName: false }
      ids.set(name, (await addLibraryItem(services, input, following)).item.id)
    }
    await add('green', [], folder('Parkour'))
    await add('blue', [], folder('GamePlay'))
    await add('red', ['slime'], null)
  }, 60_000)

  /** Which colour fills the lower half of the picture, in the middle of it. */
  async function shown(file: string): Promise<string> {
    const [r, g, b] = await colourOf(file, 50, '200:60:60:110')
    const full = [r > 200, g > 200, b > 200].map(Number).join('')
    return ({ '100': 'red', '010': 'green', '001': 'blue' } as Record<string, string>)[full] ?? 'other'
  }
  const second = (config: Record<string, unknown>) => [node('add_brainrot', { brainrot_config: config })]

  it.each([
    ['a folder, whatever its letters', { category: 'parkour ' }, 'green'],
    ['the usual folders', { randomVideoUrl: true }, 'blue'],
    ['a tag', { category: 'Slime', randomVideoUrl: true }, 'red'],
  ])(
    'plays a video of %s',
    async (_name, config, colour) => {
      const { clip, warnings, file } = await runOf('c', second(config))
      expect(warnings).toEqual([])
      expect(await shown(file)).toBe(colour)
      expect(clip.document.secondVideos).toMatchObject([{ name: `${colour}.mp4` }])
    },
    60_000,
  )

  it('keeps the chosen video, and reports how to add one where there is none', async () => {
    const { clip } = await runOf('c', second({ category: 'slime' }))
    const more = { companyId: 'c', path: join(root, 'green.mp4'), tags: ['slime'], tagByName: false }
    await addLibraryItem(services, more, following)
    await deleteLibraryItem(services, { companyId: 'c', itemId: ids.get('red') ?? '' })
    const file = await house.editAndRender(clip, { endTimestamp: clip.document.endTimestamp - 0.5 })
    expect(await shown(file)).toBe('red')
    const again = await runOf('c', second({ category: 'slime' }))
    expect(again.clip.document.secondVideos).toMatchObject([{ name: 'green.mp4' }])
    // Another company has none of these.
    const without = await runOf('d', second({ category: 'slime' }))
    expect(without.clip.document.secondVideos).toBeUndefined()
    expect(without.warnings).toEqual([
      expect.stringMatching(/no video of the category "slime".* cutroom library add FILE --folder "slime"$/),
    ])
  }, 90_000)
})
