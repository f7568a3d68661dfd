/**
 * The container image: an OCI image layout in one tar, without a registry and without a daemon. Two layers, of which the
 * lower one changes with the system's libraries only. https://github.com/opencontainers/image-spec
 */
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { folderEntries, tarStream, writeWhole, type ArchiveEntry } from '../archive.ts'
import { debianArchitecture } from '../debian.ts'
import type { Staged } from '../stage.ts'
import { APPLICATION, HOME, layOutBase, USER, type Base } from './base.ts'

const TYPES = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
}
const PORT = 4810

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

/** A layer as it is stored, and the digest of what it is unpacked to. */
interface Layer extends Descriptor {
  readonly diffId: string
  readonly made: string
}

/** What the image is called where it was loaded; localhost is nobody's registry. */
export const imageName = (version: string): string => `localhost/cutroom:${version.replaceAll(/[+~]/g, '-')}`

/** How the appliance is started in it, and what it is. */
export function imageConfig(
  { version, target }: Pick<Staged, 'version' | 'target'>,
  layers: readonly Layer[],
  seconds: number,
) {
  const created = new Date(seconds * 1000).toISOString()
  return {
    created,
    architecture: debianArchitecture(target.cpu),
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { [`${PORT}/tcp`]: {} },
      Env: [
        'PATH=/usr/bin:/bin',
        'LANG=C.UTF-8',
        `HOME=${HOME}`,
        `CUTROOM_HOME=${HOME}`,
        // What reaches it is what the port is published to.
        'CUTROOM_HOST=0.0.0.0',
        `CUTROOM_PORT=${PORT}`,
      ],
      Entrypoint: [`${APPLICATION}/bin/node`, `${APPLICATION}/server/cli/bin.mjs`],
      Cmd: ['serve', '--json'],
      Volumes: { [HOME]: {} },
      WorkingDir: HOME,
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': 'Cutroom',
        'org.opencontainers.image.description':
          'Turns long videos into finished short clips, on your own machine',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'MIT',
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ made }) => ({ created, created_by: made })),
  }
}

/** Makes the image at `file`. `level`: of gzip, 1 to 9. Answers what of the machine is in it. */
export async function makeImage(
  staged: Staged,
  work: string,
  file: string,
  { seconds, level }: { readonly seconds: number; readonly level: number },
): Promise<Base> {
  const root = join(work, 'image-base')
  const layout = join(work, 'image')
  const blobs = join(layout, 'blobs', 'sha256')
  for (const folder of [root, blobs]) mkdirSync(folder, { recursive: true, mode: 0o755 })
  const base = await layOutBase(root, staged.folder)
  const write = async (entries: readonly ArchiveEntry[], made: string): Promise<Layer> => {
    const unpacked = createHash('sha256')
    const part = join(blobs, 'layer')
    const stream = hashed(tarStream(entries, seconds), unpacked)
    const { bytes, sha256 } = await writeWhole(stream, part, [createGzip({ level })])
    renameSync(part, join(blobs, sha256))
    const diffId = `sha256:${unpacked.digest('hex')}`
    return { mediaType: TYPES.layer, digest: `sha256:${sha256}`, size: bytes, diffId, made }
  }
  const layers = [
    await write((await folderEntries(root, '')).flatMap(baseEntry), 'libraries, certificates and a user'),
    await write(await folderEntries(staged.folder, APPLICATION.slice(1)), `Cutroom ${staged.version}`),
  ]
  const store = (mediaType: string, value: unknown): Descriptor => {
    const bytes = Buffer.from(JSON.stringify(value))
    const digest = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(join(blobs, digest), bytes)
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length }
  }
  const config = store(TYPES.config, imageConfig(staged, layers, seconds))
  const stored = layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size }))
  const manifest = store(TYPES.manifest, {
    schemaVersion: 2,
    mediaType: TYPES.manifest,
    config,
    layers: stored,
  })
  const name = imageName(staged.version)
  const annotations = { 'org.opencontainers.image.ref.name': name }
  const pathOf = ({ digest }: Descriptor): string => `blobs/${digest.replace(':', '/')}`
  const documents = {
    'oci-layout': { imageLayoutVersion: '1.0.0' },
    'index.json': { schemaVersion: 2, mediaType: TYPES.index, manifests: [{ ...manifest, annotations }] },
    // What `docker load` reads; the layout is the same for it.
    'manifest.json': [{ Config: pathOf(config), RepoTags: [name], Layers: stored.map(pathOf) }],
  }
  for (const [path, value] of Object.entries(documents))
    writeFileSync(join(layout, path), JSON.stringify(value))
  await writeWhole(tarStream((await folderEntries(layout, '')).flatMap(fromRoot), seconds), file)
  return base
}

async function* hashed(
  chunks: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

/** Names in layers and layouts begin without a slash, and the root itself is not among them. */
function fromRoot(entry: ArchiveEntry): ArchiveEntry[] {
  return entry.name === '/' ? [] : [{ ...entry, name: entry.name.slice(1) }]
}

function baseEntry(entry: ArchiveEntry): ArchiveEntry[] {
  if (entry.name === `${HOME}/`) return fromRoot({ ...entry, mode: 0o700, owner: USER })
  if (entry.name === '/tmp/') return fromRoot({ ...entry, mode: 0o1777 })
  return fromRoot(entry)
}
