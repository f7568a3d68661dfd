/** The generators of clients that the OpenAPI documents are held against: how each is run, and what it made of a document. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

export const HERE = import.meta.dirname
const PYTHON = join(HERE, '.venv', 'bin')

/** What is installed in Python's folder, not in Node's. */
const PYTHON_TOOLS: ReadonlySet<string> = new Set([
  'python',
  'pip',
  'mypy',
  'openapi-python-client',
  'openapi-spec-validator',
])

export interface Ran {
  readonly ok: boolean
  readonly out: string
  /** What it printed, warnings and errors included. */
  readonly text: string
}

/** Runs a program of `npm run install:clients`. */
export function runTool(name: string, words: readonly string[]): Promise<Ran> {
  const file = join(PYTHON_TOOLS.has(name) ? PYTHON : join(HERE, 'node_modules', '.bin'), name)
  const env = {
    ...process.env,
    // The Python generator calls its formatter by name.
    PATH: `${PYTHON}${delimiter}${process.env['PATH'] ?? ''}`,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  return new Promise((resolve) => {
    execFile(file, words, { cwd: HERE, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({
        ok: error === null,
        out: stdout,
        text: `${stdout}${stderr}${error?.code === 'ENOENT' ? file : ''}`,
      }),
    )
  })
}

/** What a generator made: names of operations (null: it has other names; then there is a count) and of schemas. */
export interface Made {
  readonly operations: readonly string[] | number
  readonly schemas: readonly string[] | null
  /** Alternatives are written out where they stand, because the language has no name for them. */
  readonly unionsInline?: true
}

export interface Generator {
  readonly name: string
  /** Words of the command line that makes a client of `document` in `folder`. */
  readonly command: (document: string, folder: string) => readonly [tool: string, ...words: string[]]
  readonly read: (folder: string) => Promise<Made>
}

const found = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name)

/** The lines of one block of a declaration, from its first line to the brace that ends it. */
function block(text: string, begins: string, ends: string): string {
  const from = text.indexOf(begins)
  return from === -1 ? '' : text.slice(from + begins.length, text.indexOf(ends, from))
}

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    command: (document, folder) => ['openapi-typescript', document, '-o', join(folder, 'schema.d.ts')],
    read: async (folder) => {
      const text = await readFile(join(folder, 'schema.d.ts'), 'utf8')
      return {
        operations: found(block(text, 'export interface operations {', '\n}'), /^ {4}"?([\w.-]+)"?: \{$/gm),
        schemas: found(
          block(text, 'export interface components {\n    schemas: {', '\n    };'),
          /^ {8}"?([\w.-]+)"?: /gm,
        ),
      }
    },
  },
  {
    name: '@hey-api/openapi-ts',
    command: (document, folder) => ['openapi-ts', '-i', document, '-o', folder, '--no-log-file'],
    read: async (folder) => ({
      operations: found(await readFile(join(folder, 'sdk.gen.ts'), 'utf8'), /^export const (\w+) = /gm),
      schemas: found(await readFile(join(folder, 'types.gen.ts'), 'utf8'), /^export type (\w+) = /gm),
    }),
  },
  {
    name: 'oazapfts',
    command: (document, folder) => ['oazapfts', document, join(folder, 'client.ts')],
    read: async (folder) => ({
      operations: found(await readFile(join(folder, 'client.ts'), 'utf8'), /^export function (\w+)\(/gm),
      // It makes types of those only that an operation uses by themselves.
      schemas: null,
    }),
  },
  {
    name: 'swagger-typescript-api',
    command: (document, folder) => ['swagger-typescript-api', 'generate', '-p', document, '-o', folder],
    read: async (folder) => {
      const text = await readFile(join(folder, 'Api.ts'), 'utf8')
      return {
        operations: found(text, /(this\.request)</g).length,
        schemas: found(text, /^export (?:interface|type|enum) (\w+)/gm),
      }
    },
  },
  {
    name: 'openapi-python-client',
    command: (document, folder) => [
      'openapi-python-client',
      'generate',
      '--path',
      document,
      '--output-path',
      join(folder, 'made_client'),
      '--meta',
      'none',
      '--overwrite',
      '--fail-on-warning',
      '--config',
      join(HERE, 'openapi-python-client.json'),
    ],
    read: async (folder) => {
      const files = await readdir(join(folder, 'made_client', 'api'), { recursive: true })
      return {
        operations: files.filter((file) => /\/(?!__)\w+\.py$/.test(file)).length,
        schemas: found(
          await readFile(join(folder, 'made_client', 'models', '__init__.py'), 'utf8'),
          /^ {4}"(\w+)",$/gm,
        ),
        unionsInline: true,
      }
    },
  },
]
