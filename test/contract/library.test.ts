/** The library: by the studio's routes, by the command line, and what becomes of its files. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeLibraryFile } from '../../server/adapters/library-file.ts'
import { parseWords } from '../../server/cli/parse.ts'
import { COMMANDS, findCommand } from '../../server/cli/registry.ts'
import { Library, type LibraryItem } from '../../server/contract/library.ts'
import { listItems } from '../../server/db/library.ts'
import { addLibraryItem } from '../../server/domain/library/library.ts'
import { sourcePath } from '../../workers/paths.ts'
import { h264, makeMedia, picture } from '../support/make-media.ts'
import { plainPng } from '../support/pictures.ts'
import { addCompany, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let other: { companyId: string; key: string }
let folder: string
let whale: Buffer
beforeAll(async () => {
  server = await startTestServer()
  other = addCompany(server, 'other')
  folder = await mkdtemp(join(tmpdir(), 'cutroom-library-'))
  whale = await plainPng(640, 360, '#0000ff')
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const stored = (bytes: Buffer) => existsSync(sourcePath(server.services.home.sources, digestOf(bytes)))
const upload = async (name: string, body: Buffer, key = server.key) => {
  const answer = await server.call(`/studio/uploads?name=${name}`, { method: 'PUT', body, key })
  return answer.json<{ uploadId: string }>().uploadId
}
const library = async (query = '', key = server.key) =>
  (await server.call(`/studio/library${query}`, { key })).json<Library>()

describe('the routes', () => {
  it('add an upload, list it with an address, find it, change it, remove it with its file', async () => {
    const made = await server.call('/studio/library/folders', { json: { name: 'Sea' } })
    const { id: folderId } = made.json<{ folder: { id: string } }>().folder
    const json = { uploadId: await upload('BlueWhale.png', whale), folderId, tags: ['Deep Sea', ' '] }
    const added = await server.call('/studio/library', { json })
    expect(added.json()).toMatchObject({
      added: true,
      item: {
        name: 'BlueWhale.png',
        folderId,
        kind: 'image',
        mediaType: 'image/png',
        width: 640,
        height: 360,
        duration: null,
        tags: ['blue', 'blue whale', 'deep sea', 'whale'],
      },
    })
    const { id } = added.json<{ item: LibraryItem }>().item
    const listed = await library()
    expect(Value.Check(Library, listed)).toBe(true)
    expect(listed.folders).toMatchObject([{ id: folderId, name: 'Sea', items: 1 }])
    const file = await server.call(new URL(listed.items[0]?.url ?? '').pathname, { key: null })
    expect([file.status, digestOf(file.bytes)]).toEqual([200, digestOf(whale)])
    for (const [query, count] of [
      ['?search=whales', 1],
      ['?search=deep%20whale', 1],
      ['?search=deep%20dog', 0],
      ['?kind=video', 0],
      [`?folderId=${folderId}&kind=image`, 1],
    ] as const) {
      expect([query, (await library(query)).items.length]).toEqual([query, count])
    }
    const path = `/studio/library/items/${id}`
    const changed = await server.call(path, { method: 'PATCH', json: { tags: ['Orca'], folderId: '' } })
    expect(changed.json()).toMatchObject({ item: { tags: ['orca'], folderId: null, name: 'BlueWhale.png' } })
    expect(stored(whale)).toBe(true)
    expect((await server.call(path, { method: 'DELETE' })).json()).toMatchObject({ fileDeleted: true })
    expect([(await library()).items, stored(whale)]).toEqual([[], false])
    expect((await server.call(path, { method: 'DELETE' })).status).toBe(404)
  })

  it('store a file once, and for as long as one company has it', async () => {
    const mine = await server.call('/studio/library', {
      json: { uploadId: await upload('a.png', whale), tags: ['one'] },
    })
    const again = await server.call('/studio/library', {
      json: { uploadId: await upload('b.png', whale), tags: ['two'] },
    })
    expect(again.json()).toMatchObject({ added: false, item: { name: 'a.png', tags: ['one', 'two'] } })
    const theirs = await server.call('/studio/library', {
      json: { uploadId: await upload('c.png', whale, other.key) },
      key: other.key,
    })
    const idOf = (answer: typeof mine) => answer.json<{ item: LibraryItem }>().item.id
    expect(idOf(theirs)).not.toBe(idOf(mine))
    const remove = (id: string, key: string) =>
      server.call(`/studio/library/items/${id}`, { method: 'DELETE', key })
    expect((await remove(idOf(mine), server.key)).json()).toMatchObject({ fileDeleted: false })
    expect(stored(whale)).toBe(true)
    expect((await remove(idOf(theirs), other.key)).json()).toMatchObject({ fileDeleted: true })
    expect(stored(whale)).toBe(false)
  })

  it('show nothing of another company, and change nothing there', async () => {
    const uploadId = await upload('mine.png', whale)
    const made = await server.call('/studio/library/folders', { json: { name: 'Private' } })
    const folderId = made.json<{ folder: { id: string } }>().folder.id
    const added = await server.call('/studio/library', { json: { uploadId, folderId } })
    const { id } = added.json<{ item: LibraryItem }>().item
    const before = await library()
    const { key } = other
    expect(await library('', key)).toEqual({ folders: [], items: [] })
    const requested: [number, string, object][] = [
      [404, `/studio/library?folderId=${folderId}`, {}],
      [401, '/studio/library?companyId=acme', {}],
      [404, `/studio/library/items/${id}`, { method: 'PATCH', json: { name: 'x' } }],
      [404, `/studio/library/items/${id}`, { method: 'DELETE' }],
      [401, `/studio/library/items/${id}?companyId=acme`, { method: 'DELETE' }],
      [404, `/studio/library/folders/${folderId}`, { method: 'PATCH', json: { name: 'x' } }],
      [404, `/studio/library/folders/${folderId}`, { method: 'DELETE' }],
      [401, '/studio/library/folders', { json: { name: 'x', companyId: 'acme' } }],
      [400, '/studio/library', { json: { uploadId } }],
    ]
    for (const [status, path, request] of requested) {
      expect([path, (await server.call(path, { ...request, key })).status]).toEqual([path, status])
    }
    // A folder of another company cannot be added to or moved into either.
    const own = await server.call('/studio/library', {
      json: { uploadId: await upload('own.png', await plainPng(9, 9, '#fff'), key), folderId },
      key,
    })
    expect(own.status).toBe(404)
    expect((await server.call('/studio/library', { key: null })).json()['code']).toBe('UNAUTHENTICATED')
    expect(await library()).toEqual(before)
  })

  it('refuse files that are no picture or video, and store nothing of them', async () => {
    const cases: [string, Buffer, number, string][] = [
      ['notes.png', Buffer.from('hello there, this is text'), 422, 'SOURCE_NOT_VIDEO'],
      ['broken.png', (await plainPng(64, 64, '#f00')).subarray(0, 45), 422, 'SOURCE_NOT_VIDEO'],
      ['page.mp4', Buffer.from('<!doctype html><html>'), 422, 'SOURCE_NOT_VIDEO'],
    ]
    for (const [name, bytes, status, code] of cases) {
      const answer = await server.call('/studio/library', { json: { uploadId: await upload(name, bytes) } })
      expect([name, answer.status, answer.json()['code']]).toEqual([name, status, code])
      expect(answer.json()['error']).not.toContain(server.services.home.root)
      expect(stored(bytes)).toBe(false)
    }
    const bad = await server.call('/studio/library', { json: { uploadId: '../../etc/passwd' } })
    expect(bad.status).toBe(400)
    const named = await server.call('/studio/library/folders', { json: { name: ' ' } })
    expect([named.status, named.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
    expect((await server.call('/studio/library/folders', { json: { name: 'Private' } })).status).toBe(400)
  })

  it('keep the items of a deleted folder, without a folder', async () => {
    const { folders, items } = await library()
    const path = `/studio/library/folders/${folders.find(({ name }) => name === 'Private')?.id ?? ''}`
    const renamed = await server.call(path, { method: 'PATCH', json: { name: 'Secret' } })
    expect(renamed.json()).toMatchObject({ folder: { name: 'Secret' } })
    expect((await server.call(path, { method: 'DELETE' })).status).toBe(200)
    const after = await library()
    expect(after.folders.map(({ name }) => name)).toEqual(['Sea'])
    expect(after.items.map(({ id, folderId }) => [id, folderId])).toEqual(items.map(({ id }) => [id, null]))
  })
})

describe('a stored file', () => {
  it('stays while a clip shows it', async () => {
    const bytes = await plainPng(33, 33, '#123456')
    const path = join(folder, 'used.png')
    await writeFile(path, bytes)
    const following = { signal: new AbortController().signal, onProgress: () => undefined }
    const { item } = await addLibraryItem(server.services, { companyId: 'acme', path }, following)
    const { db } = server.services
    const url = `cutroom-source:${digestOf(bytes)}`
    db.sqlite.pragma('foreign_keys = OFF')
    db.sqlite
      .prepare(
        `insert into clips (id, company_id, workflow_id, ordinal, source_digest, title, duration, virality_score, document,
           created_at, updated_at) values ('k', 'acme', 'w', 0, 'd', '', 1, 1, ?, 1, 1)`,
      )
      .run(JSON.stringify({ broll: { inserts: [{ url }] } }))
    db.sqlite.pragma('foreign_keys = ON')
    const deleted = await server.call(`/studio/library/items/${item.id}`, { method: 'DELETE' })
    expect([deleted.json()['fileDeleted'], stored(bytes)]).toEqual([false, true])
  })

  it('is not stored when adding it is cancelled', async () => {
    const stop = new AbortController()
    const path = join(folder, 'cancelled.png')
    const bytes = await plainPng(40, 40, '#654321')
    await writeFile(path, bytes)
    const onProgress = () => stop.abort()
    const adding = addLibraryItem(
      server.services,
      { companyId: 'acme', path },
      { signal: stop.signal, onProgress },
    )
    await expect(adding).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(stored(bytes)).toBe(false)
  })
})

describe('the command line', () => {
  const run = async (...words: string[]) => {
    const found = findCommand(words)
    if (found === null) throw new Error(`no command ${words.join(' ')}`)
    const command = await COMMANDS[found.name]()
    const { options, positionals } = parseWords(command, [
      ...found.rest,
      '--json',
      '--home',
      server.services.home.root,
    ])
    const out: string[] = []
    const notes: string[] = []
    const code = await command.run({
      options,
      positionals,
      terminal: {
        interactive: false,
        columns: 80,
        out: (line) => void out.push(line),
        note: (line) => void notes.push(line),
        status: () => undefined,
      },
    })
    return { code, json: JSON.parse(out.join('')) as never, notes }
  }

  it('adds a whole folder with tags from its names, lists, tags and removes', async () => {
    const drive = join(folder, 'Travel', 'new-york')
    await mkdir(drive, { recursive: true })
    await writeFile(join(drive, 'IMG_0001-bridge.png'), await plainPng(100, 50, '#00ff00'))
    await writeFile(join(drive, 'broken.png'), 'not a picture')
    await writeFile(join(drive, 'notes.txt'), 'left out by its ending')
    await makeMedia(folder, 'Travel/taxi ride.mp4', [...picture(1), ...h264()])
    const company = ['--company', 'acme']
    const words = [join(folder, 'Travel'), '--folder', 'Trips', '--tags', 'USA, Big City', ...company]
    const { code, json, notes } = await run('library', 'add', ...words)
    const added = json as { file: string; item: LibraryItem | null; problem: string | null }[]
    expect(code).toBe(1)
    expect(added.map(({ item, problem }) => item?.tags ?? problem)).toEqual([
      ['big city', 'bridge', 'new york', 'travel', 'usa', 'york'],
      expect.stringMatching(/^broken\.png: .*text/i),
      ['big city', 'ride', 'taxi', 'taxi ride', 'travel', 'usa'],
    ])
    expect(added[2]?.item).toMatchObject({ kind: 'video', width: 320, height: 180, duration: 1 })
    expect(notes.some((line) => /\d+ % .*taxi ride\.mp4 \(3 of 3\)/.test(line))).toBe(true)
    // Once more: nothing is there twice.
    const again = (await run('library', 'add', ...words)).json as { added: boolean }[]
    expect(again.map((one) => one.added)).toEqual([false, false, false])

    const found = async (...requests: string[]) =>
      ((await run('library', 'list', ...requests, ...company)).json as Library).items.map(({ name }) => name)
    expect(await found('bridges')).toEqual(['IMG_0001-bridge.png'])
    expect(await found('--folder', 'Trips')).toEqual(['IMG_0001-bridge.png', 'taxi ride.mp4'])
    expect(await found('--folder', 'Nowhere')).toEqual([])
    const id = added[0]?.item?.id ?? ''
    const tagged = await run('library', 'tag', id, 'Fog', '--add', ...company)
    expect(tagged.json).toMatchObject({
      tags: ['big city', 'bridge', 'fog', 'new york', 'travel', 'usa', 'york'],
    })
    const moved = await run('library', 'tag', id, '--folder', 'Other', '--name', 'Bridge', ...company)
    expect(moved.json).toMatchObject({ name: 'Bridge', tags: expect.arrayContaining(['fog']) as string[] })
    expect((await run('library', 'tag', id, 'only', ...company)).json).toMatchObject({ tags: ['only'] })
    expect((await run('library', 'remove', id, ...company)).json).toEqual([{ id, fileDeleted: true }])
    await expect(run('library', 'remove', id, ...company)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(run('library', 'list', '--company', 'nobody')).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
    })
  })
})

it('has an item of the library in the table once', () => {
  const digests = listItems(server.services.db, 'acme').map(({ digest }) => digest)
  expect(new Set(digests).size).toBe(digests.length)
})

it('has ffmpeg say whether a picture can be decoded: this process does not try it', async () => {
  const { home } = server.services
  const look = async (name: string, program: string, bytes: Buffer) => {
    const ffmpeg = join(folder, name)
    await writeFile(ffmpeg, `#!/bin/sh\n${program}\n`, { mode: 0o755 })
    const path = join(folder, `${name}.png`)
    await writeFile(path, bytes)
    return storeLibraryFile({
      path,
      name,
      sources: home.sources,
      temporary: home.temporary,
      tools: { ffmpeg, ffprobe: ffmpeg },
      maxBytes: { image: 1e6, video: 1e6, audio: 1e6, font: 1e6 },
      minFreeBytes: 0,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    })
  }
  const whole = await plainPng(30, 20, '#00ff00')
  await expect(look('refuses', 'exit 1', whole)).rejects.toMatchObject({ code: 'SOURCE_NOT_VIDEO' })
  // Only its head is whole, which is all that is read here.
  const torn = whole.subarray(0, 40)
  expect(await look('accepts', 'echo "0, 0, 0, 1, 1, 0x0"', torn)).toMatchObject({ width: 30, height: 20 })
})
