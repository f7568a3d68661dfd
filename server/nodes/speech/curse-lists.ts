/**
 * Words that remove_curse_words acts on by default, by language. `strong` always, `mild` on request. A word stands for
 * its inflections too (-s, -ed, -ing, -in', -er, -ers, -y, with its last letter doubled or its e dropped where spelling
 * does so). `plural`: only -s, because other inflections are innocent ("cocked", "titter"). `exact`: no inflections.
 * `name`: also a name, skipped where it is written as one.
 */

export interface CurseWord {
  readonly word: string
  readonly forms: 'all' | 'plural' | 'exact'
  readonly name?: true
}

export interface CurseList {
  readonly strong: readonly CurseWord[]
  readonly mild: readonly CurseWord[]
}

const words = (text: string, forms: CurseWord['forms']): CurseWord[] =>
  text.split(' ').map((word) => ({ word, forms }))

/** English words that mean the same in every language; most others mean something else somewhere. */
export const HEARD_EVERYWHERE: readonly CurseWord[] = words(
  'fuck motherfuck motherfucker shit bullshit bitch',
  'all',
)

export const CURSES: Readonly<Record<string, CurseList>> = {
  en: {
    strong: [
      ...words(
        'fuck motherfuck clusterfuck mindfuck shit bullshit horseshit batshit bitch wank bollock',
        'all',
      ),
      ...words(
        'cunt twat whore slut asshole arsehole ass arse jackass dumbass badass dipshit shithead shithole',
        'plural',
      ),
      ...words(
        'bastard motherfucker fucker cocksucker cock prick tit titty pussy dickhead wanker tosser',
        'plural',
      ),
      ...words('nigger nigga faggot kike tranny fuckwit fuckface fuckup goddammit goddamnit', 'plural'),
      ...words(
        'goddamn goddamned shitty bitchy shite bollocks wtf stfu fucken effing tits titties pussies',
        'exact',
      ),
      { word: 'dick', forms: 'plural', name: true },
    ],
    mild: [
      ...words('piss bugger crap sod', 'all'),
      ...words('damn darn', 'all'),
      ...words('turd douche douchebag git retard bloody', 'plural'),
      ...words('hell dammit damnit crappy pissed crikey christ', 'exact'),
    ],
  },
  de: {
    strong: [
      ...words(
        'scheiße scheisse scheiß scheiss beschissen beschissene beschissener arschloch arschlöcher fotze fotzen',
        'exact',
      ),
      ...words(
        'wichser ficken fick gefickt ficker hurensohn hurensöhne hure huren arsch ärsche schlampe schlampen',
        'exact',
      ),
    ],
    mild: words('verdammt verdammte verdammter mist kacke pisse', 'exact'),
  },
  fr: {
    strong: [
      ...words(
        'putain merde connard connasse salope salopes enculé enculés enculer bordel foutre niquer nique',
        'exact',
      ),
      ...words('connards connasses connerie conneries pute putes batard bâtard merdique chiant', 'exact'),
    ],
    mild: words('zut mince crotte fichu', 'exact'),
  },
  es: {
    strong: [
      ...words(
        'mierda mierdas joder jodido jodida puta putas puto putos coño cabrón cabrones gilipollas pendejo',
        'exact',
      ),
      ...words('pendejos pendeja chingar chingado chingada verga culero hijueputa malparido', 'exact'),
    ],
    mild: words('culo tonto carajo', 'exact'),
  },
  pt: {
    strong: words(
      'merda porra caralho foder fodido fodida foda puta putas puto cabrão filho-da-puta buceta cu',
      'exact',
    ),
    mild: words('droga bunda raios', 'exact'),
  },
  it: {
    strong: [
      ...words(
        'cazzo cazzi merda merde stronzo stronza stronzi stronze vaffanculo puttana puttane troia',
        'exact',
      ),
      ...words('coglione coglioni minchia incazzato incazzata fottuto fottuta cazzata cazzate', 'exact'),
    ],
    mild: words('culo cavolo dannazione', 'exact'),
  },
  nl: {
    strong: words(
      'klootzak klootzakken kut kutwijf lul lullen hoer hoeren tering kanker tyfus godverdomme neuken',
      'exact',
    ),
    mild: words('verdomme rot', 'exact'),
  },
}
