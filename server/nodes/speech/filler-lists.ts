/**
 * What counts as a filler or as a stutter, by language. To add a language: one entry, by its primary tag. A word that
 * means something in the language does not belong under `sounds`: German "um" is "around", Portuguese "um" is "one".
 */

export interface SpeechHabits {
  /** Hesitation sounds: always fillers. Drawn-out forms count as well (`ummm`). */
  readonly sounds: readonly string[]
  /** Sounds that are also words: fillers only when set off on both sides. */
  readonly soundsSetOff: readonly string[]
  /** Phrases that are fillers when marks or pauses set them off on both sides. */
  readonly phrases: readonly string[]
  /** Phrases that need punctuation on at least one side: a pause alone is not enough evidence. */
  readonly carefulPhrases: readonly string[]
  /** Function words that cannot end a clause: repeated, they are a stutter, with or without a comma between them. */
  readonly openers: readonly string[]
  /** Other function words that are a stutter when repeated without a comma. Also used to detect the language. */
  readonly small: readonly string[]
  /** Words that are repeated on purpose. */
  readonly emphatic: readonly string[]
}

const list = (text: string): string[] => text.split(' ')

export const HABITS: Readonly<Record<string, SpeechHabits>> = {
  en: {
    sounds: list('um uhm uh uhh erm hm hmm ehm'),
    soundsSetOff: list('er eh mm ah'),
    phrases: ['you know', 'i mean'],
    carefulPhrases: ['like', 'sort of', 'kind of', 'you know what i mean', 'you see'],
    openers: list(
      "i we he she they the a an and but or my your our their if because when i'm we're they're he's she's it's i've we've i'd",
    ),
    small: list(
      'you it of to in on at for with from as is are was were be been do does did have has can will would this what who how there not just some by about than me him them us its then',
    ),
    emphatic: list(
      'that had very really so no yes yeah yep nope ok okay well bye go come wait stop never ever long many much more far big way now there hear knock ha hah blah la na night please over again and on',
    ),
  },
  de: {
    sounds: list('äh ähm öh öhm hm hmm ehm'),
    soundsSetOff: list('eh mm'),
    phrases: ['weißt du', 'wissen sie', 'ich mein', 'sag ich mal'],
    carefulPhrases: ['halt', 'sozusagen', 'quasi', 'irgendwie', 'also'],
    openers: list('ich wir er und aber oder der das ein eine mein dein unser wenn weil dass'),
    small: list(
      'die sie es du ihr in im an am auf zu zum mit von vom bei für ist sind war waren hat haben kann nicht auch den dem des einen einem einer wie was so als',
    ),
    emphatic: list('sehr ganz ja nein doch so nie immer viel lange weit die der das'),
  },
  fr: {
    sounds: list('euh heu euhm hm hmm'),
    soundsSetOff: list('ben bah hein'),
    phrases: ['tu vois', 'vous voyez', 'tu sais', 'vous savez'],
    carefulPhrases: ['genre', 'en fait', 'du coup', 'quoi', 'voilà'],
    openers: list(
      'je tu il elle on ils elles le la les un une des et mais ou mon ma mes ton ta son sa que si',
    ),
    small: list(
      "de du à au aux en dans sur pour par avec est sont était a ont ce c'est ne pas qui plus se sa",
    ),
    emphatic: list('très non oui si jamais encore bien vraiment tout nous vous'),
  },
  es: {
    sounds: list('ehm em hm hmm mmm'),
    soundsSetOff: list('eh este ah'),
    phrases: ['o sea', 'ya sabes', 'sabes'],
    carefulPhrases: ['pues', 'digamos', 'como que'],
    openers: list('yo el la los las un una y pero o mi tu su que si porque'),
    small: list('de del a al en con por para es son era está lo se no me te le como más'),
    emphatic: list('muy no sí sin nunca ya bien mucho más casi'),
  },
  pt: {
    sounds: list('ahm hum hm hmm ãh'),
    soundsSetOff: list('é eh ah'),
    phrases: ['sabe', 'sabes', 'quer dizer'],
    carefulPhrases: ['tipo', 'né', 'pronto', 'assim'],
    openers: list('eu o a os as e mas ou meu minha que se porque'),
    small: list('de do da dos das em no na com por para é são era está não me te lhe como mais um uma'),
    emphatic: list('muito não sim nunca já bem mais'),
  },
  it: {
    sounds: list('ehm uhm hm hmm'),
    soundsSetOff: list('eh ah mm'),
    phrases: ['sai', 'voglio dire'],
    carefulPhrases: ['cioè', 'diciamo', 'praticamente', 'tipo'],
    openers: list('io il lo la i gli le un una e ma o mio mia che se perché'),
    small: list('di del della dei a al alla in nel con per è sono era non si mi ti ci come più'),
    emphatic: list('molto no sì mai già bene più piano ciao'),
  },
  nl: {
    sounds: list('uh uhm eh ehm euh hm hmm'),
    soundsSetOff: list('ah mm'),
    phrases: ['weet je', 'zeg maar', 'ik bedoel'],
    carefulPhrases: ['eigenlijk', 'gewoon', 'zeg'],
    openers: list('ik wij we hij zij de het een en maar of mijn jouw ons als omdat dat'),
    small: list(
      'je jij ze van in op aan te met voor bij is zijn was waren heeft hebben kan niet ook die dit er wat zo om',
    ),
    emphatic: list('heel erg nee ja nooit altijd veel lang dat'),
  },
}

/** Hesitation sounds that mean nothing in any of the languages, for words of unknown language. */
const ANYWHERE: SpeechHabits = {
  sounds: list('uhm ehm erm hm hmm äh ähm öhm euh'),
  soundsSetOff: list('um uh eh'),
  phrases: [],
  carefulPhrases: [],
  openers: [],
  small: [],
  emphatic: [],
}

/** The lists of a language by its tag (`en-GB`, `eng` is not one); those for any language otherwise. */
export function habitsOf(language: string): SpeechHabits {
  return Object.hasOwn(HABITS, language) ? (HABITS[language] ?? ANYWHERE) : ANYWHERE
}
