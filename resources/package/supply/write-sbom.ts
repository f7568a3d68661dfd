/**
 * `npm run sbom`: writes the bill of materials in CycloneDX 1.5 (npm packages, Node, models, fonts) to
 * out/sbom/cutroom-VERSION.cdx.json, without a network; the same sources give the same bytes. Fails where a licence may
 * not be shipped.
 */
import { mkdirSync, writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, shippedPackages, EXCEPTIONS, isAllowed, type ShippedPackage } from './shipped.ts'
import { createHash } from 'node:crypto'

interface Component {
  readonly type: 'application' | 'library' | 'machine-learning-model' | 'file'
  readonly 'bom-ref': string
  readonly name: string
  readonly version?: string
  readonly scope?: 'required' | 'optional'
  readonly hashes?: readonly { readonly alg: 'SHA-256' | 'SHA-512'; readonly content: string }[]
  readonly licenses: readonly (
    { readonly expression: string } | { readonly license: { readonly name: string } }
  )[]
  readonly purl?: string
  readonly components?: readonly Component[]
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Sbom {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.5'
  readonly serialNumber: string
  readonly version: 1
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const read = (root: string, ...path: string[]): unknown =>
  JSON.parse(readFileSync(join(root, ...path), 'utf8'))
const purl = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`
const licence = (text: string): Component['licenses'] =>
  isAllowed(text) ? [{ expression: text }] : [{ license: { name: text } }]

function packageComponent(one: ShippedPackage): Component {
  const exception = EXCEPTIONS.find(({ packages }) => packages.test(one.name))
  return {
    type: 'library',
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    scope: one.optional ? 'optional' : 'required',
    ...(one.sha512 === null ? {} : { hashes: [{ alg: 'SHA-512', content: one.sha512 }] }),
    licenses: licence(one.licence),
    purl: purl(one),
    ...(exception === undefined || isAllowed(one.licence)
      ? {}
      : { properties: [{ name: 'cutroom:licence-note', value: exception.why }] }),
  }
}

interface Manifest {
  readonly models: readonly {
    readonly name: string
    readonly licence: string
    readonly source: string
    readonly development?: boolean
    readonly files: readonly { readonly path: string; readonly sha256: string | null }[]
  }[]
}

/** Models are not in the packages; the appliance fetches them, or is brought them, from where the manifest says. */
function modelComponents(root: string): Component[] {
  const { models } = read(root, 'models', 'manifest.json') as Manifest
  return models
    .filter(({ development }) => development !== true)
    .map(({ name, licence: text, source, files }) => ({
      type: 'machine-learning-model',
      'bom-ref': `model:${name}`,
      name,
      scope: 'optional',
      licenses: licence(text),
      properties: [{ name: 'cutroom:source', value: source }],
      components: files.map(({ path, sha256 }) => ({
        type: 'file',
        'bom-ref': `model:${name}/${path}`,
        name: path,
        licenses: [],
        ...(sha256 === null ? {} : { hashes: [{ alg: 'SHA-256', content: sha256 }] }),
      })),
    }))
}

interface Fonts {
  readonly fonts: readonly { readonly family: string; readonly licence: string; readonly file?: string }[]
}

function fontComponents(root: string): Component[] {
  const { fonts } = read(root, 'resources', 'fonts', 'fonts.json') as Fonts
  const families = [...new Set(fonts.map(({ family }) => family))].sort()
  return families.map((family) => {
    const own = fonts.filter((font) => font.family === family)
    return {
      type: 'file',
      'bom-ref': `font:${family}`,
      name: `Font ${family}`,
      licenses: licence(own[0]?.licence ?? ''),
      components: own.flatMap(({ file }) =>
        file === undefined
          ? []
          : [
              {
                type: 'file' as const,
                'bom-ref': `font:${family}/${file}`,
                name: file,
                licenses: [],
                hashes: [{ alg: 'SHA-256' as const, content: sha256(root, 'resources', 'fonts', file) }],
              },
            ],
      ),
    }
  })
}

function sha256(...path: string[]): string {
  return createHash('sha256')
    .update(readFileSync(join(...path)))
    .digest('hex')
}

interface SbomOptions {
  /** Instead of package.json's. */
  readonly version?: string
  /** Whether a package, `name@version`, is in; absent: all that are shipped for any system. */
  readonly has?: (key: string) => boolean
}

/** `root`: the folder that holds package.json. */
export function makeSbom(root: string, { version, has = () => true }: SbomOptions = {}): Sbom {
  const manifest = read(root, 'package.json') as { name: string; version: string; license: string }
  const own = { ...manifest, version: version ?? manifest.version }
  const packages = shippedPackages(root).filter((one) => has(`${one.name}@${one.version}`))
  const references = new Map(packages.map((one) => [`${one.name}@${one.version}`, purl(one)]))
  const component: Component = {
    type: 'application',
    'bom-ref': purl(own),
    name: own.name,
    version: own.version,
    licenses: licence(own.license),
    purl: purl(own),
  }
  const components = [...packages.map(packageComponent), ...modelComponents(root), ...fontComponents(root)]
  const dependencies = packages.map((one) => ({
    ref: purl(one),
    // What Electron's package needs downloads it, and is not shipped.
    dependsOn: one.needs.flatMap((key) => references.get(key) ?? []),
  }))
  const digest = createHash('sha256')
    .update(JSON.stringify([component, components]))
    .digest('hex')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component },
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    components,
    dependencies,
  }
}

/** A UUID (version 8: by the maker's own rule) of a digest. */
function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}

if (process.argv[1] === import.meta.filename) {
  const ROOT = join(import.meta.dirname, '..', '..', '..')

  const refused = shippedPackages(ROOT).flatMap((one) => refusal(one) ?? [])
  const sbom = makeSbom(ROOT)
  const folder = join(ROOT, 'out', 'sbom')
  const file = join(folder, `cutroom-${sbom.metadata.component.version ?? ''}.cdx.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
  process.stdout.write(`${file}: ${sbom.components.length} components\n`)
  for (const why of refused) process.stderr.write(`${why}: see resources/package/supply/shipped.ts\n`)
  process.exitCode = refused.length === 0 ? 0 : 1
}
