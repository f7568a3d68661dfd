/**
 * Installing models: over a real socket with broken connections and false headers, from folders and archives, and
 * trying them out.
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Agent } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { installFrom, installModel } from '../../models/install.ts'
import { chooseModel, fingerprintOf, listInstalledModels } from '../../models/installed.ts'
import { manifestModel, readManifest, type ManifestModel } from '../../models/manifest.ts'
import { archiveLimits, unpackArchive } from '../../models/unpack.ts'
import { listModels, removeModel, verifyModel } from '../../server/domain/models/models.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared', 'models')
const body = Buffer.concat([Buffer.from([0x08, 0x07]), randomBytes(200_000)])
const sha = (data: Buffer): string => createHash('sha256').update(data).digest('hex')
let root: string
let server: Server
let base: string
let requests: IncomingMessage[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void
const dispatcher = new Agent()

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-models-'))
  server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await dispatcher.close()
  server.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => {
  requests = []
})

function model(overrides: Partial<ManifestModel['files'][number]> = {}): ManifestModel {
  const file = {
    path: 'onnx/a.onnx',
    bytes: body.length,
    sha256: sha(body),
    url: `${base}/a.onnx`,
    ...overrides,
  }
  return {
    name: 'thing',
    task: 'faces',
    title: 'Thing',
    goodFor: '',
    hardware: '',
    licence: 'MIT',
    source: `${base}/org/thing-repo`,
    folder: 'faces/thing',
    checksums: 'pinned',
    files: [file],
  }
}

interface Break {
  readonly after: number
  /** What has come to lie on the disk by then, so that it does not matter how busy the machine is. */
  readonly once: string
}

/** Serves the body with ranges; `broken` cuts the first answer off. */
function serve(data: Buffer, broken: Break | null = null): void {
  let first = true
  answer = (request, response) => {
    const range = /bytes=(\d+)-/.exec(request.headers.range ?? '')
    const from = range === null ? 0 : Number(range[1])
    response.writeHead(range === null ? 200 : 206, { etag: '"v1"', 'content-length': data.length - from })
    if (first && broken !== null) {
      first = false
      response.write(data.subarray(0, broken.after))
      const looking = setInterval(() => {
        if ((statSync(broken.once, { throwIfNoEntry: false })?.size ?? 0) === 0) return
        clearInterval(looking)
        response.destroy()
      }, 10)
    } else response.end(data.subarray(from))
  }
}

describe('installing by download', () => {
  it('resumes a broken download, checks the SHA-256 and leaves nothing incomplete', async () => {
    const targetFolder = join(root, 'resume')
    const progress: number[] = []
    const notes: string[] = []
    const options = {
      targetFolder,
      dispatcher,
      manifest: [model()],
      onProgress: (share: number, note: string) => {
        progress.push(share)
        notes.push(note)
      },
    }
    serve(body, { after: 90_000, once: join(targetFolder, '.partial/thing/onnx/a.onnx.part') })
    await expect(installModel('thing', options)).rejects.toMatchObject({ code: 'MODEL_NOT_INSTALLED' })
    expect(existsSync(join(targetFolder, 'faces/thing/onnx/a.onnx'))).toBe(false)
    await installModel('thing', options)
    expect(Number(/bytes=(\d+)-/.exec(requests[1]?.headers.range ?? '')?.[1])).toBeGreaterThan(0)
    expect(requests[1]?.headers['if-range']).toBe('"v1"')
    expect(sha(await readFile(join(targetFolder, 'faces/thing/onnx/a.onnx')))).toBe(sha(body))
    expect(progress.at(-1)).toBe(1)
    const all = (body.length / 1e6).toFixed(1)
    expect(notes).toContain(`onnx/a.onnx, ${all} MB of ${all} MB`)
    expect(await installModel('thing', options)).toMatchObject({ kept: 1 })
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['a web page', Buffer.from('<!DOCTYPE html><html>Sign in</html>'), {}, /web page/],
    [
      'an LFS pointer',
      Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:00\n'),
      {},
      /LFS pointer/,
    ],
    ['a short copy', body.subarray(0, 5000), {}, /bytes instead of/],
    [
      'other content',
      Buffer.concat([body.subarray(0, -1), Buffer.from([1 ^ (body.at(-1) ?? 0)])]),
      {},
      /SHA-256/,
    ],
    [
      'broken JSON',
      Buffer.from('{"a": [1, 2'),
      { path: 'config.json', bytes: null, sha256: null },
      /not whole JSON/,
    ],
  ] as const)('refuses %s with a message', async (name, data, file, message) => {
    const targetFolder = join(root, name.replaceAll(' ', '-'))
    serve(Buffer.from(data))
    const install = installModel('thing', { targetFolder, dispatcher, manifest: [model(file)] })
    await expect(install).rejects.toMatchObject({
      code: 'MODEL_NOT_INSTALLED',
      message: expect.stringMatching(message) as string,
    })
    expect(existsSync(join(targetFolder, 'faces'))).toBe(false)
  })

  it('reports the server’s response, stops when cancelled, and names the known models', async () => {
    answer = (_, response) => void response.writeHead(404).end()
    const options = { targetFolder: join(root, 'x'), dispatcher, manifest: [model()] }
    await expect(installModel('thing', options)).rejects.toThrow(/answered 404/)
    serve(body)
    const aborted = AbortSignal.abort()
    await expect(installModel('thing', { ...options, signal: aborted })).rejects.toMatchObject({
      code: 'CANCELLED',
    })
    await expect(installModel('nothing', options)).rejects.toThrow(/Known models: thing/)
  })

  it('records the checksum of files without a published checksum, and checks it from then on', async () => {
    const targetFolder = join(root, 'recorded')
    serve(body)
    const manifest = [model({ bytes: null, sha256: null })]
    await installModel('thing', { targetFolder, dispatcher, manifest })
    const file = join(targetFolder, 'faces/thing/onnx/a.onnx')
    await writeFile(file, Buffer.concat([Buffer.from([0x08]), randomBytes(99)]))
    expect(await installModel('thing', { targetFolder, dispatcher, manifest })).toMatchObject({
      kept: 0,
      bytes: body.length,
    })
  })
})

describe('installing without internet', () => {
  it('takes folders and archives, whole models only', async () => {
    const from = join(root, 'stick')
    await mkdir(join(from, 'thing-repo/onnx'), { recursive: true })
    await writeFile(join(from, 'thing-repo/onnx/a.onnx'), body)
    const manifest = [model(), { ...model(), name: 'other', folder: 'faces/other', source: 'x/other-repo' }]
    const byFolder = await installFrom(from, [], { targetFolder: join(root, 'f1'), manifest })
    expect(byFolder.map((item) => item.model)).toContain('thing')
    const archive = join(root, 'models.tar.gz')
    execFileSync('tar', ['-czf', archive, '-C', from, '.'])
    const target = join(root, 'f2')
    await installFrom(archive, ['thing'], { targetFolder: target, manifest })
    expect(sha(await readFile(join(target, 'faces/thing/onnx/a.onnx')))).toBe(sha(body))
    expect((await readdir(join(target, '.partial'))).filter((name) => name.startsWith('archive'))).toEqual([])
    await writeFile(join(root, 'bad.tar'), 'not an archive at all'.repeat(100))
    await expect(
      installFrom(join(root, 'bad.tar'), [], { targetFolder: target, manifest }),
    ).rejects.toMatchObject({ code: 'MODEL_NOT_INSTALLED' })
    await expect(installFrom(join(root, 'nowhere'), [], { targetFolder: target })).rejects.toThrow(
      /does not exist/,
    )
    await expect(installFrom(join(root, 'models.zip.rar'), [], { targetFolder: target })).rejects.toThrow(
      /does not exist/,
    )
  })
})

/** A zip without compression: names and contents as given, also such as no honest tool writes. */
function zipOf(
  files: readonly { readonly name: string; readonly data: Buffer; readonly mode?: number }[],
): Buffer {
  const parts: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, data, mode = 0o100644 } of files) {
    const head = Buffer.alloc(30)
    const entry = Buffer.alloc(46)
    head.writeUInt32LE(0x04034b50, 0)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(0x0314, 4)
    for (const [buffer, shift] of [
      [head, 0],
      [entry, 2],
    ] as const) {
      buffer.writeUInt16LE(20, 4 + shift)
      buffer.writeUInt32LE(crc32(data), 14 + shift)
      buffer.writeUInt32LE(data.length, 18 + shift)
      buffer.writeUInt32LE(data.length, 22 + shift)
      buffer.writeUInt16LE(Buffer.byteLength(name), 26 + shift)
    }
    entry.writeUInt16LE(0x0314, 4)
    entry.writeUInt32LE((mode << 16) >>> 0, 38)
    entry.writeUInt32LE(at, 42)
    parts.push(head, Buffer.from(name), data)
    central.push(entry, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + data.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}

describe('archives', () => {
  const manifest = () => [model()]
  async function fromArchive(name: string, data: Buffer, target: string) {
    const archive = join(root, name)
    await writeFile(archive, data)
    return installFrom(archive, ['thing'], { targetFolder: join(root, target), manifest: manifest() })
  }

  it('takes a .zip, wrapped in one folder or not', async () => {
    const zip = zipOf([{ name: 'wrapped/thing/onnx/a.onnx', data: body }])
    expect(await fromArchive('good.zip', zip, 'z1')).toMatchObject([{ model: 'thing' }])
    expect(sha(await readFile(join(root, 'z1/faces/thing/onnx/a.onnx')))).toBe(sha(body))
    const cut = fromArchive('cut.zip', zip.subarray(0, 9000), 'z2')
    await expect(cut).rejects.toThrow(/cut.zip cannot be unpacked: it is damaged/)
  })

  it.each(['../escaped.txt', '/tmp/cutroom-escaped.txt', 'a/../../../escaped.txt'])(
    'writes nothing outside for a zip that names %s',
    async (name) => {
      const zip = zipOf([{ name, data: Buffer.from('x') }])
      await expect(fromArchive('evil.zip', zip, 'z3')).rejects.toThrow(/points outside/)
      expect(existsSync(join(root, 'z3', 'escaped.txt'))).toBe(false)
      expect(existsSync(join(root, 'escaped.txt'))).toBe(false)
      expect(existsSync('/tmp/cutroom-escaped.txt')).toBe(false)
      expect(await readdir(join(root, 'z3', '.partial'))).toEqual([])
    },
  )

  it('follows no link, in a zip or a tar', async () => {
    const link = { name: 'thing/onnx/a.onnx', data: Buffer.from('/etc/passwd'), mode: 0o120777 }
    await expect(fromArchive('link.zip', zipOf([link]), 'z4')).rejects.toThrow(/has no file of/)
    const from = join(root, 'links')
    await mkdir(join(from, 'thing/onnx'), { recursive: true })
    await symlink('/etc/passwd', join(from, 'thing/onnx/a.onnx'))
    execFileSync('tar', ['-cf', join(root, 'link.tar'), '-C', from, '.'])
    const install = installFrom(join(root, 'link.tar'), ['thing'], {
      targetFolder: join(root, 'z5'),
      manifest: manifest(),
    })
    await expect(install).rejects.toThrow(/has no file of/)
  })

  it('writes nothing outside for a tar that climbs', async () => {
    const from = join(root, 'climb/inner')
    await mkdir(from, { recursive: true })
    await writeFile(join(root, 'climb/escaped.txt'), 'x')
    execFileSync('tar', ['-cPf', join(root, 'climb.tar'), '-C', from, '../escaped.txt'])
    const install = installFrom(join(root, 'climb.tar'), ['thing'], {
      targetFolder: join(root, 'z6'),
      manifest: manifest(),
    })
    await expect(install).rejects.toMatchObject({ code: 'MODEL_NOT_INSTALLED' })
    expect(existsSync(join(root, 'z6/.partial/escaped.txt'))).toBe(false)
  })

  it('refuses what unpacks to far more than it is, or to too many files', async () => {
    expect(archiveLimits(1000)).toEqual({ files: 10_000, bytes: 256 * 1024 ** 2 })
    expect(archiveLimits(1e9).bytes).toBe(64 * 1024 ** 3)
    const from = join(root, 'bomb')
    await mkdir(from)
    await writeFile(join(from, 'zeros'), Buffer.alloc(3_000_000))
    await writeFile(join(from, 'more'), 'x')
    execFileSync('tar', ['-czf', join(root, 'bomb.tar.gz'), '-C', from, 'zeros', 'more'])
    const zip = zipOf([
      { name: 'zeros', data: Buffer.alloc(3_000_000) },
      { name: 'more', data: Buffer.from('x') },
    ])
    await writeFile(join(root, 'bomb.zip'), zip)
    for (const name of ['bomb.tar.gz', 'bomb.zip']) {
      const unpack = async (limits: { files: number; bytes: number }) => {
        const into = await mkdtemp(join(root, 'into-'))
        await unpackArchive(join(root, name), into, undefined, limits)
        return (await readdir(into)).sort()
      }
      await expect(unpack({ files: 9, bytes: 2_000_000 })).rejects.toThrow(/unpacks to more than 2 MB/)
      await expect(unpack({ files: 1, bytes: 9_000_000 })).rejects.toThrow(/more than 1 files/)
      expect(await unpack({ files: 9, bytes: 9_000_000 })).toEqual(['more', 'zeros'])
      const aborted = unpackArchive(join(root, name), from, AbortSignal.abort())
      await expect(aborted).rejects.toMatchObject({ code: 'CANCELLED' })
    }
  })
})

describe('removing', () => {
  it('takes the model’s files and empty folders, leaves neighbours and folders that are not ours', async () => {
    const home = join(root, 'removing')
    const own = join(root, 'removing-own')
    for (const folder of [join(home, 'models/face'), join(own, 'vad')])
      await mkdir(folder, { recursive: true })
    const faces = manifestModel('yunet')?.files[0]
    const voice = manifestModel('silero-vad')?.files[0]
    await writeFile(join(home, 'models/face/yunet_n_dynamic.onnx'), Buffer.alloc(faces?.bytes ?? 0))
    await writeFile(join(home, 'models/face/notes.txt'), 'mine')
    await writeFile(join(own, 'vad/silero_vad_16k_op15.onnx'), Buffer.alloc(voice?.bytes ?? 0))
    const config = { home, modelFolders: [own, join(home, 'models')] }
    expect(await removeModel(config, 'yunet')).toMatchObject({ model: 'yunet', bytes: faces?.bytes })
    expect(await readdir(join(home, 'models/face'))).toEqual(['notes.txt'])
    await expect(removeModel(config, 'yunet')).rejects.toThrow(/yunet is not installed/)
    await expect(removeModel(config, 'silero-vad')).rejects.toThrow(/a folder of your own/)
    expect(existsSync(join(own, 'vad/silero_vad_16k_op15.onnx'))).toBe(true)
    await mkdir(join(home, 'models/vad'))
    await cp(join(own, 'vad'), join(home, 'models/vad'), { recursive: true })
    await removeModel(config, 'silero-vad')
    expect(existsSync(join(home, 'models/vad'))).toBe(false)
    expect(existsSync(join(home, 'models'))).toBe(true)
  })
})

describe('the list', () => {
  it('has a valid manifest, and reports what is missing and how to repair it', async () => {
    expect(readManifest().length).toBeGreaterThan(5)
    const listed = await listModels({ home: root, modelFolders: [join(root, 'empty')] })
    expect(listed.every((item) => !item.installed && item.folder === null)).toBe(true)
    expect(listed.find((item) => item.name === 'whisper-base')?.install).toBe(
      'cutroom models install whisper-base',
    )
    expect(await fingerprintOf([join(root, 'empty')], 'speech')).toBe('none')
  })

  it('finds a manually installed whisper export, but not an incomplete one', async () => {
    const folder = join(root, 'hand/asr/my-whisper')
    await mkdir(join(folder, 'onnx'), { recursive: true })
    for (const name of [
      'config.json',
      'tokenizer.json',
      'preprocessor_config.json',
      'onnx/encoder_model.onnx',
    ])
      await writeFile(join(folder, name), '{}')
    expect(await chooseModel([join(root, 'hand')], 'speech')).toBeNull()
    await writeFile(join(folder, 'onnx/decoder_model_merged_quantized.onnx'), '{}')
    expect(await chooseModel([join(root, 'hand')], 'speech')).toMatchObject({
      name: 'my-whisper',
      dtype: { encoder_model: 'fp32', decoder_model_merged: 'q8' },
    })
  })
})

if (!existsSync(SHARED)) console.log('tests of installed models skipped: ../shared/models is not here')
describe.skipIf(!existsSync(SHARED))('installed models', () => {
  it('finds them, chooses the random one only where there is no real one, and fingerprints by content', async () => {
    const names = (await listInstalledModels([SHARED])).map((item) => item.name)
    expect(names).toEqual(
      expect.arrayContaining(['silero-vad', 'yunet', 'yamnet', 'light-asd', 'random-whisper']),
    )
    expect(await chooseModel([SHARED], 'speech')).toMatchObject({ name: 'random-whisper' })
    expect(await chooseModel([join(root, 'hand'), SHARED], 'speech')).toMatchObject({ name: 'my-whisper' })
    expect(await chooseModel([SHARED], 'speech', 'random-whisper')).toMatchObject({ development: true })
    expect(await fingerprintOf([SHARED], 'voice-activity', 'random-whisper')).toBe(
      await fingerprintOf([SHARED], 'voice-activity'),
    )
    expect(await fingerprintOf([SHARED], 'voice-activity')).toMatch(/^silero-vad@[0-9a-f]{16}$/)
  })

  it('runs every installed model once', async () => {
    const config = { home: root, modelFolders: [SHARED] }
    for (const name of [
      'yunet',
      'pyannote-segmentation',
      'dvector-bilstm',
      'yamnet',
      'lr-asd',
      'light-asd',
      'random-whisper',
    ])
      expect([name, await verifyModel(config, name)]).toEqual([name, { ok: true, problem: null }])
  })

  it('verifies a good one by running it, and catches a damaged one', async () => {
    const home = join(root, 'home')
    await mkdir(join(home, 'models/vad'), { recursive: true })
    await cp(join(SHARED, 'vad/silero_vad_16k_op15.onnx'), join(home, 'models/vad/silero_vad_16k_op15.onnx'))
    const config = { home, modelFolders: [join(home, 'models')] }
    expect(await verifyModel(config, 'silero-vad')).toEqual({ ok: true, problem: null })
    const file = join(home, 'models/vad/silero_vad_16k_op15.onnx')
    const data = await readFile(file)
    data.fill(0, 5000, 6000)
    await rm(file)
    await writeFile(file, data)
    expect(await verifyModel(config, 'silero-vad')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('SHA-256') as string,
    })
    await expect(verifyModel(config, 'whisper-base')).rejects.toThrow(/cutroom models install whisper-base/)
  })
})
