/** PURE. What prompt and keywords request: weighted terms (negative after "avoid" or "no"), and kinds of moments. */
import type { FindClipsSettings, SubScoreName } from '../../../../server/contract/clip-candidate.ts'
import { bare, isContent, stem } from './text-tools.ts'
import { QUESTION_WORDS, INTENTS } from './word-lists.ts'

export interface Steering {
  /** Stem to weight; at most 30 terms are used. */
  readonly terms: ReadonlyMap<string, number>
  /** Stem to the word as it was written, for reasons. */
  readonly written: ReadonlyMap<string, string>
  /** Additional weight of a sub-score, 0 or more. */
  readonly lifts: Readonly<Record<SubScoreName, number>>
}

const MAX_TERMS = 30
/** How much a request counts, by where it was made. */
export const PREFERENCE_WEIGHTS = { keywords: 2, adjustment: 1.5, prompt: 1 } as const
/** What is rejected counts more than what is requested. */
const REJECTED = -1.5
const LIFT = 0.5
const BESIDE = 0.3

export function steeringOf(settings: FindClipsSettings): Steering {
  const terms = new Map<string, number>()
  const written = new Map<string, string>()
  const add = (word: string, weight: number): void => {
    const key = stem(word)
    if (terms.size >= MAX_TERMS && !terms.has(key)) return
    terms.set(key, (terms.get(key) ?? 0) + weight)
    if (!written.has(key)) written.set(key, word)
  }
  for (const keyword of settings.keywords) {
    for (const part of keyword.split(/\s+/))
      if (isContent(bare(part))) add(bare(part), PREFERENCE_WEIGHTS.keywords)
  }
  readText(settings.promptAdjustment, PREFERENCE_WEIGHTS.adjustment, add)
  readText(settings.prompt, PREFERENCE_WEIGHTS.prompt, add)
  return { terms, written, lifts: findLifts(`${settings.prompt} ${settings.promptAdjustment}`) }
}

/** Adds similar words of this transcript. Each weighs less than the requested word, which names it in reasons. */
export function widenSteering(steering: Steering, vocabulary: ReadonlySet<string>): Steering {
  if (steering.terms.size === 0) return steering
  const terms = new Map(steering.terms)
  const written = new Map(steering.written)
  for (const spoken of vocabulary) {
    if (steering.terms.has(spoken)) continue
    for (const [requested, weight] of steering.terms) {
      // Where the requested word itself occurs, its synonyms only add to it.
      const near = weight * nearness(requested, spoken) * (vocabulary.has(requested) ? BESIDE : 1)
      if (Math.abs(near) <= Math.abs(terms.get(spoken) ?? 0)) continue
      terms.set(spoken, near)
      written.set(spoken, steering.written.get(requested) ?? requested)
    }
  }
  return { ...steering, terms, written }
}

/** Splits free text into clauses; what follows a negation in one is rejected. */
export function clausesOf(text: string, weight: number) {
  return text.split(/[.;:!?\n]|,|\bbut\b/i).flatMap((clause) => {
    const refusal =
      /\b(avoid|skip|exclude|ignore|without|no|not|never|don't|do not|nothing about|leave out)\b/i.exec(
        clause,
      )
    if (refusal === null) return [{ text: clause, weight }]
    const refused = clause.slice(refusal.index).replace(/^(nothing about|leave out|do not|\S+)/i, '')
    return [
      { text: clause.slice(0, refusal.index), weight },
      { text: refused, weight: weight * REJECTED },
    ]
  })
}

/** Topic words of free text. */
function readText(text: string, weight: number, add: (word: string, weight: number) => void): void {
  for (const clause of clausesOf(text, weight)) {
    for (const word of clause.text.split(/\s+/)) {
      const term = bare(word)
      if (
        isContent(term) &&
        !QUESTION_WORDS.has(term) &&
        !isIntent(term) &&
        !/^(avoid|skip|exclude|ignore|without|leave)$/.test(term)
      ) {
        add(term, clause.weight)
      }
    }
  }
}

function isIntent(word: string): boolean {
  return INTENTS.some(([pattern]) => pattern.test(word))
}

function findLifts(text: string): Record<SubScoreName, number> {
  const lifts: Record<SubScoreName, number> = { hook: 0, flow: 0, value: 0, emotion: 0, ending: 0 }
  for (const [pattern, name] of INTENTS) if (pattern.test(text)) lifts[name] = LIFT
  return lifts
}

const GROUPS = `
  price pricing cost costs charge charged fee fees discount cheap expensive afford bill quote rate tariff
  money cash income revenue budget finance finances financial funding dollar dollars euro pound salary wage pay paid payment
  profit profits margin earnings earn revenue income gain
  debt loan loans mortgage credit owe owed bankrupt bankruptcy broke insolvent
  rent lease landlord tenant housing
  business company companies firm firms startup startups enterprise shop shops store stores entrepreneur entrepreneurs
  customer customers client clients buyer buyers shopper consumer consumers
  sell selling sells sale sales sold seller
  buy buying bought purchase purchases purchased
  marketing advertising advert adverts ads brand branding promotion campaign
  job jobs career careers employment profession occupation
  employee employees staff worker workers team colleague colleagues crew
  boss manager managers leader leaders leadership management ceo founder
  hire hiring hired recruit recruiting recruitment interview
  fired layoff layoffs redundancy dismissed unemployed unemployment
  close closed closing closure shut shutting bankrupt bankruptcy
  overtime late nights stays stayed exhausted burnout overwork
  waste trash garbage rubbish dump landfill litter junk discard discarded throw threw thrown throwing recycle recycling
  repair repairs repaired fix fixed fixing mend mended restore rebuild rebuilt maintenance broken
  bike bikes bicycle bicycles cycling cyclist cycle
  car cars vehicle vehicles automobile driving driver drive truck trucks van
  train trains railway railways rail railroad station subway tram
  plane planes airplane flight flights flying airport airline pilot
  ship ships boat boats sailing sail harbour harbor sea ocean
  travel travelling traveling journey journeys trip trips tourism tourist vacation holiday holidays
  road roads street streets highway traffic parking
  weather rain rains rainy snow storm storms wind sunny forecast
  climate warming emissions carbon environment environmental pollution sustainability sustainable
  energy electricity power solar battery batteries fuel oil gas nuclear
  family families daughter daughters son sons mother father parents parent wife husband brother sister child children kid kids baby grandmother grandfather
  love romance relationship relationships dating marriage married wedding partner divorce
  friend friends friendship buddy mate
  fear fears afraid scared frightened terrified anxiety anxious worry worried panic
  courage brave bravery bold fearless daring
  happy happiness joy joyful glad delighted
  sad sadness grief mourning loss depressed depression cry cried tears
  anger angry furious rage mad
  death die died dying dead funeral
  health healthy medicine medical doctor doctors hospital nurse nurses patient patients clinic therapy treatment
  disease illness sick cancer virus infection pandemic
  mental psychology therapist therapy mind brain
  sleep sleeping slept insomnia rest tired
  food eat eating ate meal meals cook cooking cooked kitchen recipe restaurant dinner lunch breakfast bread bakery
  drink drinks drinking water coffee tea beer wine alcohol
  sport sports game games match team coach athlete athletes training football soccer basketball tennis
  exercise workout fitness gym running muscle
  school schools education student students teacher teachers teaching university college class classroom learning
  book books reading novel author authors writer writing
  music song songs band concert singing singer guitar piano album
  film films movie movies cinema director actor actors
  art arts artist artists painting paint painted drawing museum
  photo photos picture pictures photograph photography camera
  computer computers software programming code coding developer developers app apps
  ai robot robots machine machines automation algorithm algorithms
  internet online web website websites digital
  phone phones mobile smartphone call
  privacy data security hacker hackers password surveillance
  science scientific scientist scientists research researcher experiment experiments study studies laboratory
  space rocket rockets moon mars planet planets astronaut universe star stars
  history historical past century ancient
  war wars soldier soldiers army military battle peace
  politics political politician politicians government election elections vote voting president minister parliament
  law laws legal court lawyer lawyers judge crime criminal police prison
  religion religious god church faith prayer belief
  animal animals dog dogs cat cats pet pets wildlife
  nature forest forests tree trees garden gardens plants flower flowers
  farm farms farmer farmers farming agriculture crops harvest
  house houses home homes building buildings architecture apartment flat
  clothes clothing fashion dress shirt shoes
  mistake mistakes error errors failure failures fail failed wrong regret
  success successful succeed win winning won victory achievement
  change changes changed transformation turning
  goal goals plan plans planning strategy ambition purpose
  habit habits routine discipline practice
  quick quickly fast speed minutes hurry rapid
  rule rules principle principles guideline guidelines law
  number numbers count counted counting statistic statistics figure figures measure measured
  sign signs notice banner poster
  gratitude thank thanks grateful thankful
  hair haircut haircuts barber
  luck lucky chance coincidence fate surprise surprised surprising unexpected expect
  newsletter newsletters email mail announcement announcements housekeeping
`

const BY_STEM: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const found = new Map<string, Set<string>>()
  for (const line of GROUPS.trim().split('\n')) {
    const stems = line.trim().split(/\s+/).map(stem)
    for (const one of stems) {
      const known = found.get(one) ?? new Set<string>()
      for (const other of stems) known.add(other)
      found.set(one, known)
    }
  }
  return found
})()

/** How near a spoken stem is to a requested one: 1 for the same stem, 0 for nothing in common. */
export function nearness(requested: string, spoken: string): number {
  if (requested === spoken) return 1
  if (BY_STEM.get(requested)?.has(spoken) === true) return 0.5
  // repair, repairable; mechanic, mechanical: a long stem with another ending.
  const isShorter = requested.length < spoken.length
  const short = isShorter ? requested : spoken
  const long = isShorter ? spoken : requested
  const alike = short.length >= 6 && long.length - short.length <= 4 && long.startsWith(short)
  return alike ? 0.7 : 0
}
