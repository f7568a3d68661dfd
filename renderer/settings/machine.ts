/** What the checks of the machine mean for somebody who cuts video. PURE. */
import type { Hardware } from '../../server/contract/settings.ts'
import { machine as messages } from '../messages/set-up.ts'
import { models } from '../messages/settings.ts'
import { inPlainWords } from '../ui/plain-words.ts'

export type MachineCheck = Hardware['checks'][number]
type State = MachineCheck['state']
export type AreaName = keyof typeof messages.areas

export interface Area {
  readonly name: AreaName
  readonly state: State
  readonly title: string
  /** What it means, in one sentence. */
  readonly sentence: string
  /** What is not as it should be. */
  readonly shortcomings: readonly MachineCheck[]
  /** The same in plain words, as far as the sentence does not say it. */
  readonly details: readonly string[]
  /** The section of the settings in which an owner can do something about it. */
  readonly section: string | null
}

interface Kind {
  readonly name: AreaName
  /** The names of its checks; the first area that takes one has it. */
  readonly takes: RegExp
  readonly section?: string
}

const KINDS: readonly Kind[] = [
  { name: 'video', takes: /^(?:ffmpeg|encoders|filter .*|fonts)$/ },
  { name: 'rendering', takes: /^gpu$/ },
  { name: 'models', takes: /^onnx$/ },
  { name: 'speech', takes: /^(?:model for speech|speech server)$/, section: 'models' },
  { name: 'seeing', takes: /^models?(?: .*)?$/, section: 'models' },
  { name: 'room', takes: /^(?:home|permissions|file system|disk|quota)$/, section: 'storage' },
  { name: 'data', takes: /^(?:database|backup|clock|sealed|secrets|upkeep|standby)$/ },
  { name: 'appliance', takes: /^/ },
]

const WORSE: Readonly<Record<State, number>> = { ok: 0, warning: 1, failure: 2 }

function sentenceOf(name: AreaName, state: State, checks: readonly MachineCheck[]): string {
  const software = checks.some(({ found }) => found.includes('in software'))
  if (name === 'rendering' && state === 'ok' && software) return messages.areas.rendering.software
  return messages.areas[name][state]
}

/** Where an owner can mend this in the studio. */
function sectionOf({ section }: Kind, shortcomings: readonly MachineCheck[]): string | null {
  if (shortcomings.length === 0) return null
  if (shortcomings.some(({ name }) => name === 'backup')) return 'backup'
  return section ?? null
}

const TASKS: Readonly<Record<string, string>> = models.tasks
const NO_MODEL = 'model for '

/** What a check is about, in words. */
export function nameOfCheck(name: string): string {
  const known = messages.checks[name]
  if (known !== undefined) return known
  const [kind, ...rest] = name.split(' ')
  const of = rest.join(' ')
  if (name.startsWith(NO_MODEL)) {
    const task = name.slice(NO_MODEL.length)
    return messages.modelFor(TASKS[task] ?? task)
  }
  if (kind === 'model') return messages.model(of)
  if (kind === 'filter') return messages.filter(of)
  return kind === 'network' ? messages.connection : name
}

/** What is missing is named; of what else is wrong, the finding is said. */
function detailsOf(name: AreaName, shortcomings: readonly MachineCheck[]): string[] {
  if (name === 'speech') return []
  const missing = shortcomings.flatMap((check) =>
    check.name.startsWith(NO_MODEL) ? [TASKS[check.name.slice(NO_MODEL.length)] ?? check.name] : [],
  )
  const others = shortcomings.filter((check) => !check.name.startsWith(NO_MODEL))
  const found = others.map((check) => inPlainWords(check.found))
  return missing.length === 0 ? found : [messages.missing(missing.join(' · ')), ...found]
}

/** The checks by what they are about; areas without a check are left out. */
export function describeMachine(checks: readonly MachineCheck[]): Area[] {
  const byArea = Map.groupBy(checks, ({ name }) => KINDS.find(({ takes }) => takes.test(name))?.name)
  return KINDS.flatMap((kind) => {
    const own = byArea.get(kind.name) ?? []
    if (own.length === 0) return []
    const shortcomings = own.filter(({ state }) => state !== 'ok')
    const state = own.reduce<State>(
      (worst, one) => (WORSE[one.state] > WORSE[worst] ? one.state : worst),
      'ok',
    )
    const { title } = messages.areas[kind.name]
    const sentence = sentenceOf(kind.name, state, own)
    const details = detailsOf(kind.name, shortcomings)
    const section = sectionOf(kind, shortcomings)
    return [{ name: kind.name, state, title, sentence, shortcomings, details, section }]
  })
}
