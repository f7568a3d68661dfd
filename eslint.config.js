// The walls between rooms (docs/decisions/0001) are lint errors. A zone reads: files under `target` may not import
// anything under `from`, `except` what is named.
import js from '@eslint/js'
import tseslint from 'typescript-eslint'
import importX, { createNodeResolver } from 'eslint-plugin-import-x'
import svelte from 'eslint-plugin-svelte'
import svelteParser from 'svelte-eslint-parser'

const zone = (target, from, message, except) => ({ target, from, message, ...(except ? { except } : {}) })

const walls = [
  zone('./server/contract', './', 'contract imports TypeBox only', ['./server/contract', './node_modules']),
  zone('./server/nodes', './', 'nodes import contract only', [
    './server/nodes',
    './server/contract',
    './node_modules',
  ]),
  zone('./server/interchange', './', 'interchange imports contract and the writer of caption files only', [
    './server/interchange',
    './server/contract',
    './workers/stages/transcript-file/pure',
    './node_modules',
  ]),
  zone('./workers/compositor', './', 'compositor imports contract only', [
    './workers/compositor',
    './server/contract',
    './node_modules',
  ]),
  zone('./server/domain', './server/http', 'domain never knows HTTP'),
  zone('./server/domain', './server/cli', 'domain never knows the command line'),
  zone('./server/domain', './workers/inference', 'heavy work goes through stages'),
  zone('./server/http', './server/db', 'handlers call domain functions, not queries'),
  zone('./server/http', './workers', 'handlers call domain functions, not stages'),
  zone('./server/jobs', './server/http', 'jobs never know HTTP'),
  zone('./server/jobs', './workers', 'jobs know protocol, catalogue, declarations and disk only', [
    './protocol.ts',
    './artefacts.ts',
    './media/disk.ts',
    './stages/catalog.ts',
    './stages',
  ]),
  zone('./server', './workers/stages/fetch-asset/picture.ts', 'the server decodes no picture'),
  zone('./server/worker-node', './server/db', 'a worker node never sees the database'),
  zone('./server/worker-node', './server/http', 'a worker node serves nobody'),
  zone('./workers', './server', 'workers import contract and the pure nodes, never the database', [
    './contract',
    './nodes',
    './steady-memory.mjs',
  ]),
  zone('./renderer', './server', 'the studio imports pure rooms and API types', ['./contract', './nodes']),
  zone('./renderer', './workers', 'the studio imports the compositor and the mix only', [
    './compositor',
    './stages/render/pure/mix',
  ]),
  zone('./main', './server', 'the shell starts the server and imports nothing but how that is done', [
    './steady-memory.mjs',
  ]),
  zone('./main', './workers', 'the shell starts the server and imports nothing of it'),
]

/** Properties and elements are written where they belong: a literal that is spread hides how long its owner is. */
const plainSyntax = [
  {
    selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
    message: 'write the properties or elements of a spread literal out, each in its place',
  },
  {
    selector: 'SpreadElement > TSAsExpression > :matches(ObjectExpression, ArrayExpression)',
    message: 'write the properties or elements of a spread literal out, each in its place',
  },
  {
    selector: 'SvelteSpreadAttribute > ObjectExpression',
    message: 'write the attributes of a spread literal out, each in its place',
  },
  {
    selector: "VariableDeclarator[id.type='ArrayPattern'][init.type='ArrayExpression']",
    message: 'declare each constant by itself',
  },
]

const pureFiles = [
  'server/contract/**/*.ts',
  'server/nodes/**/*.ts',
  'server/interchange/**/*.ts',
  'workers/compositor/**/*.ts',
  'workers/protocol.ts',
  'workers/media/arguments/**/*.ts',
  'workers/stages/*/pure/**/*.ts',
]

export default tseslint.config(
  {
    ignores: [
      'out/**',
      'node_modules/**',
      'bench-results/**',
      'test/pds/**',
      'resources/clients/*/dist/**',
      'test/clients/.venv/**',
      'resources/clients/*/src/schema.ts',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({
    ...config,
    files: ['**/*.ts', '**/*.svelte'],
  })),
  ...svelte.configs.base,
  {
    files: ['**/*.ts', '**/*.svelte'],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.mjs'] })] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: walls, basePath: import.meta.dirname }],
      'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
      'import-x/no-cycle': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-syntax': ['error', ...plainSyntax],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'server/config/config.ts is the only reader of the environment',
        },
      ],
    },
  },
  // Their runes are plain functions to a parser of TypeScript.
  { files: ['**/*.svelte.ts'], languageOptions: { parser: tseslint.parser } },
  {
    files: ['**/*.svelte'],
    languageOptions: {
      parser: svelteParser,
      parserOptions: { parser: tseslint.parser, projectService: true, extraFileExtensions: ['.svelte'] },
    },
    rules: {
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { excludedRunes: ['$props', '$derived', '$state'] }],
      // The linter takes what another component hands out for `any`; svelte-check sees its type, and checks it.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
    },
  },
  {
    files: ['server/http/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...plainSyntax,
        ...["[argument.property.name='body']", "[argument.name='body']"].map((body) => ({
          selector: `ObjectExpression > SpreadElement:not(:first-child)${body}`,
          message: 'a body comes first, so that it cannot overwrite what was checked (company, clip, caller)',
        })),
      ],
    },
  },
  {
    files: pureFiles,
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', 'Date', 'process', 'setTimeout', 'setInterval', 'fetch'],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'pure rooms are deterministic' },
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: ['node:*', '@napi-rs/*', 'better-sqlite3', 'elysia'] },
      ],
    },
  },
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: {
      // A test file is a list of cases: each is read by itself, and none becomes clearer in a file of another name.
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': 'off',
      'no-restricted-properties': 'off',
      'import-x/no-restricted-paths': 'off',
    },
  },
  {
    files: [
      'server/config/config.ts',
      'server/steady-memory.mjs',
      // It writes to it.
      'models/no-telemetry.ts',
      'server/cli/**/*.ts',
      'server/cli/**/*.mjs',
      'resources/package/**/*.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', Buffer: 'readonly' },
    },
  },
)
