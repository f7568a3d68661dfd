/**
 * PURE. Grammar of titles: closed classes of words by which a line is known to be a complete clause that needs nothing said
 * before it, in the languages that are read closely. In other languages nothing of it is found, and shape alone decides.
 */
import { languageCode } from './languages.ts'
import { alone, anywhere, atEnd, atStart } from './word-patterns.ts'

/** Patterns for a line in lower case with straight apostrophes, after `idiom` was taken out of it. */
export interface TitlePatterns {
  /** Connectives, and phrases such as "I think", that a title can do without. */
  readonly lead: RegExp
  /** Interjections: left out only where a comma follows, because "no" and "well" are also words of the clause. */
  readonly interjection: RegExp
  /** Fixed phrases whose pronoun points at nothing: "il y a", "there was". */
  readonly idiom: RegExp
  /** Words that point at something that was named elsewhere. */
  readonly pointing: RegExp
  /** A number or an ordinal without its noun, and other references that leave the noun out: "the third is". */
  readonly elliptic: RegExp
  /** Phrases that only announce what is said next. */
  readonly announcing: RegExp
  /** Beginnings of clauses that cannot stand alone. */
  readonly subordinate: RegExp
  /** Words before which a subordinate clause at the end can be cut off. */
  readonly tail: RegExp
  /** Beginnings that without a verb are only a part of a clause. */
  readonly preposition: RegExp
  /** Signs of a finite verb. */
  readonly verb: RegExp
  /** Beginnings of verbs whose subject was named before; never where the language requires a subject. */
  readonly subjectless: RegExp
  /** Last words that leave a line open. */
  readonly loose: RegExp
  /** Beginnings of questions that are questions without what was said before. */
  readonly asking: RegExp
  /** Words that stand before a noun. */
  readonly determiner: RegExp
  /** Words after which an article is a pronoun, where the two are written alike. */
  readonly subject: RegExp
  /** Whether adjectives stand before their noun, so that the noun is the last word of its group. */
  readonly nounLast: boolean
  readonly nounsInCapitals: boolean
  /** Hesitations: words that are said and mean nothing. */
  readonly hesitation: RegExp
}

const NEVER = /(?!)/gu

/** Longer phrases first: "o sea" is found before "o". */
const leading = (list: string): RegExp =>
  atStart(
    list
      .replaceAll(/\s+/g, ' ')
      .split(', ')
      .toSorted((a, b) => b.length - a.length)
      .join(', '),
  )

const ENGLISH: TitlePatterns = {
  lead: leading(
    `and, but, so, because, or, then, also, plus, anyway, i mean, you know, i think, i thought, i believe, i'd say, i would say, i
    always say, i tell you, i'll tell you, let me tell you, the thing is, the point is, the truth is, and then, and so, but then, i
    guess, i suppose, you see, except that, like i said, as i said, it's just, what i mean is, and that's because, by the way`,
  ),
  interjection: leading(
    `well, now, look, listen, okay, ok, right, yeah, yes, no, oh, honestly, actually, basically, see, of course, in fact, sure, sorry,
    mind you, alright, all right, wow, hey, folks, friends, anyway, then, first, second, third, fourth, fifth, one, two, three, four,
    five, finally, sir, frankly`,
  ),
  idiom: anywhere(
    `there(?:'s| is| are| was| were)(?: a| an| no| one)?, it(?:'s| is| was) (?:snowing|raining|dark|late|cold|easy|hard|time|worth),
    it takes, it took, how it works, that way`,
  ),
  pointing: anywhere(
    `it, it's, he, she, they, him, her, them, that's, this, these, those, there, he's, she's, they're, his, their, hers, theirs, here,
    then, it'd, he'd, she'd, they'd, it'll, he'll, she'll, they'll, they've, itself, himself, herself, themselves, both,
    that (?:is|was|will|would|one|means|makes|way|thing), that(?=$|[,?]), (?:do|did|does|like|about|of|for|with|know|see|say|than|over|to) that(?= |$)`,
  ),
  elliptic: anywhere(
    `

     (?:the|a|his|her|their) (?:first|second|third|fourth|fifth|last|other|others|same|rest|next|only one|one)(?= (?:is|was|are|were|has| had|will|would|came|one|of us)|\\s?[,:]|$),
    another(?=\\s?,|$), some(?= (?:are|were|do|did)|$), most of them, one of them, neither one, another one, the others,
    somebody else, this one, that one, other one,
    (?:had|got|got to|have|took|take|see|saw) (?:two|three|four|five|six|seven|eight|nine|ten)(?= (?:between|from|in|on|at|and|to|of|for)|$) ,
    (?:better|worse|more|less|since|either|too|as well|again|instead)(?=$),
    the same(?= (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|$)
  `,
  ),
  announcing: anywhere(
    `
     tell you, tell this, tell that, a question about, want to say, wanted to say, want to talk, going to talk, going to tell,
    let me, here's, here is, here are, guess what, listen to this, i had a question, there's this, i promised,
    i have a question, where was i, as i say, we'll come, we'll do, let's, you'll recall, i'm going to, i want to ask,
    i'd like to, can i, could i, may i, can you, could you, do you want, do you need, shall we, i had a note, the question is,
    i'll add, for example, i don't know, i don't think, i don't believe, i don't mean, i mean, i don't want, i'd add,
    i think about, i'll just, what's that, is that , i wish you , i think, i guess, i suppose, what do you mean, how so,
    why not, what else, what about, how about, say that again, so to speak, i'd say, as it were , lost my place,
    lost my thread, lost my train of thought, where were we
  `,
  ),
  subordinate: atStart(
    `
     if, when, while, because, although, though, unless, since, as, until, before, after, whereas, which, who, where, whether,
    that, than, except, whatever, whenever, so that, the way, how(?! (?:do|does|did|is|are|was|can|could|many|much|long|to)),
    what(?!'s| is| do| does| did| are| if| i| we| you| makes| happens), otherwise, however, therefore, yet, nor, meanwhile,
    instead(?! of), and, but, or, so, then, also, plus, too, either, still, just, only, not , thank you, thanks, welcome,
    good morning, good evening, sorry
  `,
  ),
  tail: anywhere(`because, when, while, although, since, whereas, which, before, after, so that, as if`),
  preposition: atStart(
    `to, for, from, with, without, in, on, at, by, of, about, under, over, between, through, into, onto, across, behind, after, before,
    during, against, like, than, instead, except, among, along, toward, towards, not, just, only, even`,
  ),
  verb: anywhere(
    `am, is, are, was, were, be, been, has, have, had, do, does, did, will, would, can, could, should, must, may, might, shall, cannot, ain't,
    [a-z]+(?:n't|'re|'ve|'ll|'d|'m), (?:it|he|she|that|there|what|who|where|how|nobody|everybody|here|let)'s, (?:i|you|we|they|he|she|it|who|
    nobody|everybody|everyone|people|somebody|nothing) [a-z]+, (?:went|came|said|got|took|made|saw|knew|thought|told|found|
    gave|left|felt|stood|sat|heard|kept|held|brought|ran|lost|paid|put|sent|wrote|began|met|fell|drove|bought|built|froze|broke|won|grew|
    died|became|ate|hung|let|led|spent|stole|taught|tore|wore|rose|sold|cost|cut|hit|shut|set|read|goes|says|makes|takes|gets|comes|knows|
    means|needs|wants|looks|works|happens|costs|keeps|pays|runs|gives), (?!hundred|shed|sled|seed|need|feed|speed|indeed|wicked|sacred|bed)[a-z]{2,}ed, (?:stop|start|keep|put|take|give|ask|try|go|make|think|imagine|
    find|learn|fix|open|save|look|pay|ring|call|get|use|leave|tell|say|read|write|build|buy|sell|choose|bring|turn|open|close|move|remember|forget) (?:
    a|the|it|your|my|them|him|her|me|us|yourself|in|on|out|off|up|for|to|what|how|three|two|one|every|all|nothing|something)`,
  ),
  subjectless: NEVER,
  loose: atEnd(
    `a, an, the, and, or, but, of, to, at, by, with, from, as, is, are, was, were, be, which, who, whose, these, those, my, your, his, their, our,
    its, it's, i'm, we're, if, because, so, than, very, just, like, i, we, he, she, they, do, does, did, has, have, had, will, would, can,
    could, should, into, about, while, where, how, why, said, says, say, a lot, kind of, sort of`,
  ),
  asking: atStart(
    `why, how, what, when, where, who, which, whose, what's, who's, how's, are you, do you, have you, would you, can you, should, is (?:a|the|your)`,
  ),
  determiner: alone(
    `the, a, an, my, your, our, his, her, their, this, that, these, those, every, each, of, no, any, some`,
  ),
  subject: NEVER,
  nounLast: true,
  nounsInCapitals: false,
  hesitation: alone(`um, uh, er, erm, uhm, hmm, mm, mhm, ah, eh`),
}

const SPANISH: TitlePatterns = {
  lead: leading(
    `
    y, e, pero, porque, o, entonces, también, además, o sea que, o sea, es que, yo creo que, creo que, yo pienso que,
    yo digo que, digo que, la verdad es que, así que, luego, y entonces, resulta que, lo que pasa es que, total que, que,
    ya sé que, yo sé que, sé que, ya digo, lo digo porque, digo, pues
  `,
  ),
  interjection: leading(
    `
    bueno, claro, mira, mire, mirad, oye, oiga, vale, sí, no, ya, hombre, mujer, total, ahora, la verdad, a ver, en fin, nada,
    primero, segundo, tercero, uno, dos, tres, cuatro, cinco, hermanos, señores, señora, hijo, eso sí, por cierto
  `,
  ),
  idiom: anywhere(
    `lo que, lo (?:mejor|peor|primero|importante|difícil|único) (?:es|era|fue), por lo menos, a lo mejor, de todo, aquí estoy`,
  ),
  pointing: anywhere(
    `eso, esto, aquello, ése, ese, esa, éste, esta, este, ésta, esos, esas, estos, estas, él, ella, ellos, ellas, lo, le, les, ahí, allí, aquí, así, (?:me|te|se|nos|ya|no|yo) (?:la|los|las)(?= )`,
  ),
  elliptic: anywhere(
    `

    (?:el|la|los|las|lo|una?) (?:primer[oa]s?|segund[oa]s?|tercer[oa]s?|cuart[oa]|otr[oa]s?|mism[oa]s?|últim[oa]s?|dos|tres|cuatro|mitad|demás)(?= (?:es|era|fue|son|me|se|que|no)|\\s?,|$),
    (?:el|la|los|las) (?:de|que)(?= ), uno de ellos, ninguno, tampoco, también, otra vez no, otr[oa]s?(?=$),
    (?:más|menos|tan) [\\p{L}]+(?=$)
  `,
  ),
  announcing: anywhere(
    `
     te voy a contar, os voy a contar, les voy a contar, te cuento, os cuento, les cuento, quería decir, quiero decir,
    voy a hablar, una pregunta, os voy a, te digo una cosa, les digo una cosa, quería preguntar\\p{L}*, hablamos de, vamos a,
    perdona, perdone, fíjate, fijaos, fíjense, no sé, yo no sé, ya le digo, te digo, le digo, os digo, quiero contar,
    voy a contar , cómo que, qué tal, creo, creo yo, me parece, digo yo, por así decir , perdí el hilo, perdido el hilo,
    dónde estaba, por dónde iba
  `,
  ),
  subordinate: atStart(
    `
     si, cuando, mientras, porque, aunque, como, donde, para que, hasta que, antes de, después de, quien, sino, ni, según,
    sin que, a que, y, e, pero, o, pues, entonces, sin embargo, además, también, tampoco, luego, así, total, solo, sólo,
    por eso, aun , gracias, muchas gracias, bienvenidos, bienvenidas, buenos días, buenas tardes, perdón
  `,
  ),
  tail: anywhere(`cuando, porque, mientras, aunque, hasta que, para que, donde, sino que, antes de que`),
  preposition: atStart(
    `a, ante, bajo, con, contra, de, del, al, desde, en, entre, hacia, hasta, para, por, según, sin, sobre, tras, ni, como, más, menos, sólo, solo, hasta, no, muy`,
  ),
  verb: anywhere(
    `es, son, era, eran, fue, fueron, soy, eres, somos, está, están, estoy, estaba, hay, había, hubo, tiene, tienen, tengo, tenía, ha, han, he, hemos, va, van,
    voy, iba, hace, hacía, hizo, puede, pueden, puedo, quiere, quiero, sabe, sé, dice, dijo, viene, vino, pasa, pone, da, dio, vi, vio, sigue, queda, cuesta,
    vale, cuenta, parece, importa, juega, vive, muere, empieza, termina, llega, sale, entra, pide, busca, lleva, deja, cree, debe, necesita, existe,
    [\\p{L}]{2,}(?:ó|aba|ábamos|aban|ía|íamos|ían|aron|ieron|imos|amos|emos|aste|iste|éis|áis), [\\p{L}]{3,}[éí], (?:yo|nadie|todos|todo el mundo) \\p{L}+,
    (?:me|te|se|nos|os) [\\p{L}]+, no [\\p{L}]{2,}(?:a|e|o|s|n)`,
  ),
  subjectless: atStart(
    `(?:(?:ahora|hoy|ayer|siempre|luego|después|todavía|ya|nunca|también|aún|casi) )?(?:no )?(?:lo |la |le |les |los |las |se )?(?:es|era|son|eran|fue|fueron|está|están|estaba|estaban|tiene|tienen|tenía|tenían|ha|han|va|van|iba|iban|sabe|
    dice|dijo|hizo|puso|vino|quiso|pudo|hacía|vive|vivía|viene|venía|llega|llegó|sale|salió|murió|trabajaba|llevaba|quería|decía|sabía|parecía|podía|tuvo|
    estuvo|[\\p{L}]{3,}(?:aba|aban|ieron|aron|ó))`,
  ),
  loose: atEnd(
    `el, la, los, las, un, una, y, e, o, pero, de, del, a, al, en, con, por, para, que, sin, sobre, mi, tu, su, mis, sus, muy, más, se, me, te, es, era, si, como,
    cuando, porque, ni, lo, le, hasta, desde, entre, yo, dice, digo, dijo`,
  ),
  asking: atStart(
    `por qué, cómo, qué, cuánto, cuánta, cuántos, cuántas, cuándo, quién, quiénes, dónde, adónde, cuál, de qué, para qué`,
  ),
  determiner: alone(
    `
    el, la, los, las, un, una, unos, unas, mi, mis, tu, tus, su, sus, nuestro, nuestra, del, al, cada, este, esta, esos, esas,
    ese, esa, ningún
  `,
  ),
  subject: alone(`yo, tú, me, te, se, nos, os, no, ya, que, él, ella, lo, nunca, siempre, también`),
  nounLast: false,
  nounsInCapitals: false,
  hesitation: alone(`eh, em, mm, mhm, ehm`),
}

const GERMAN: TitlePatterns = {
  lead: leading(
    `
     und, aber, denn, oder, ich glaube, ich finde, ich denke, ich meine, sondern, na ja, naja, das heißt ,
    also(?= (?:der|die|das|ein|eine|mein|meine|unser|unsere|ich|wir|man|jeder|alle) )
  `,
  ),
  interjection: leading(
    `
    ja, nein, nee, gut, so, nun, eben, genau, wissen sie, sehen sie, schauen sie, übrigens, im grunde, ehrlich gesagt, okay,
    ok, ach, klar, stimmt, nur, erstens, zweitens, drittens, viertens, fünftens, eins, zwei, drei, vier, fünf, schließlich,
    bitte, sicher, natürlich, also, dann, deshalb, deswegen, darum, außerdem, trotzdem, jedenfalls, na ja, ach ja
  `,
  ),
  idiom: anywhere(
    `es gibt, es gab, gibt es, gab es, es geht um, geht es um, das heißt, es regnet, es regnete, es schneit, es schneite, es dauert, es war einmal`,
  ),
  pointing: anywhere(
    `er, sie, es, ihn, ihm, ihr, dies, diese, dieser, dieses, diesen, diesem, da, dort, hier, dann, davon, dafür, dazu, darauf, damit, dabei, darin, daran, darüber,
    daneben, dessen, deren, solche, solcher, jene, jener, dieselbe, derselbe, dasselbe, das (?:ist|war|sind|waren|hat|hatte|wird|wurde|kann|konnte|geht|ging|kommt|
    kam|steht|stand|macht|machte|nicht|weiß|muss|soll|will|hilft|gilt|klingt|bedeutet|da|doch|auch|ganze), (?:der|die|den|dem) (?:ist|war|hat|hatte|sagt|sagte|wird|wurde|
    kann|kam|geht|ging|dreht|stand|macht|haben|sind|waren|da|kommt|weiß)`,
  ),
  elliptic: anywhere(
    `(?:der|die|das|den|dem|eine|einer|eines|ein) (?:erste|ersten|zweite|zweiten|dritte|dritten|vierte|letzte|letzten|andere|anderen|anderer|nächste|gleiche|selbe|
    beiden|einzige)(?= (?:ist|war|sind|waren|hat|kam|heißt|nach)|\\s?[,:]|$), beide, einer von ihnen, eine nach der anderen, einer nach dem anderen, das gleiche, dasselbe, (?:sein|seine|ihr|ihre|seinen|seiner|ihren|ihrer)(?= )`,
  ),
  announcing: anywhere(
    `
     ich erzähle ihnen, erzähle ich, will ich erzählen, möchte ich, ich möchte ihnen, ich will ihnen, eine frage,
    das erste ist, kommen wir, hören sie zu, passen sie auf, ich sage ihnen, noch ganz kurz, ganz kurz, noch kurz, wo war ich,
    kann ich, darf ich, können sie, haben sie die, gehen wir, fangen wir, machen wir, wir fangen, zum beispiel,
    ich weiß nicht, ich meine, danke, vielen dank, ich schreibe das, wissen sie , nehme ich an, glaube ich, denke ich,
    finde ich, meine ich, wie bitte, was meinen sie, sage ich mal, würde ich sagen , faden verloren, wo waren wir
  `,
  ),
  subordinate: atStart(
    `
     wenn, als, während, weil, obwohl, dass, damit, bevor, nachdem, bis, ob, sobald, solange, falls, wo, wer, denen, deren,
    dessen, indem, sodass, wie(?! \\p{L}+ (?:ist|sind|war|hat|haben)), also, dann, deshalb, deswegen, darum, außerdem,
    trotzdem, jedenfalls, danach, so, nun, seitdem, dadurch, sonst, dabei, dazu, dafür, davon, denn, sondern, und, aber,
    oder , danke, vielen dank, herzlichen dank, willkommen, guten morgen, guten abend, guten tag
  `,
  ),
  tail: NEVER,
  preposition: atStart(
    `an, auf, aus, bei, beim, durch, für, gegen, hinter, in, im, ins, mit, nach, neben, ohne, seit, über, um, unter, von, vom, vor, zu, zum, zur, zwischen, wegen,
    trotz, nur, nicht, noch, auch, etwa, ganz, sehr`,
  ),
  verb: anywhere(
    `ist, sind, war, waren, hat, haben, hatte, hatten, wird, werden, wurde, wurden, kann, können, muss, müssen, will, wollen, soll, sollen, darf, dürfen, mag, gibt,
    gab, bin, bist, seid, habe, hast, weiß, wissen, geht, kommt, macht, ging, kam, sah, stand, saß, nahm, fand, ließ, blieb, fiel, hielt, lief, rief, schrieb, sprach,
    starb, riss, (?:ich|wir|du|man|niemand|jeder|alle) \\p{L}+, \\p{L}+ (?:ich|wir|man),
    (?!nicht|erst|jetzt|mit|fast|seit|dort|sonst|bereits|laut|gut|weit|alt|kalt|hart|leicht|schlecht|recht|echt|oft|nacht|stadt|zeit|arbeit|kraft|licht|luft|welt|wort|not|brot|rot|tot|acht|
    selbst|meist|zuerst|zuletzt|überhaupt|vielleicht|hundert|insgesamt|verzehrt|[\\p{L}]+heit|[\\p{L}]+keit|[\\p{L}]+schaft|ge[\\p{L}]+t)[\\p{L}]{3,}t, [\\p{L}]{3,}te, [\\p{L}]{3,}ten`,
  ),
  subjectless: NEVER,
  loose: atEnd(
    `der, die, das, den, dem, des, ein, eine, einen, einem, einer, und, oder, aber, von, zu, mit, in, auf, für, bei, nach, aus, als, wie, dass, weil, wenn, ob, mein, meine,
    dein, sein, seine, ihr, ihre, unser, sehr, ist, war, ich, er, sie, wir, im, am, zum, zur, sagt, sagte, gesagt`,
  ),
  asking: atStart(
    `warum, wieso, weshalb, wie, was, wer, wen, wem, wann, wo, woher, wohin, welche, welcher, welches, womit, wozu`,
  ),
  determiner: alone(
    `der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, mein, meine, unser, unsere, kein, keine, jede, jeder, jedes, im, am, zum, zur`,
  ),
  subject: NEVER,
  nounLast: true,
  nounsInCapitals: true,
  hesitation: alone(`äh, ähm, öh, hm, hmm, mhm`),
}

const FRENCH: TitlePatterns = {
  lead: leading(
    `et, mais, parce que, ou, donc, alors, aussi, puis, ensuite, je pense que, je crois que, je trouve que, je dirais que, en fait, du coup, moi je pense que, moi je
    trouve que, et puis, mais bon, et là, c'est que, sauf que, car, or`,
  ),
  interjection: leading(
    `bon, ben, bah, enfin, bref, voilà, oui, ouais, non, ok, écoute, écoutez, tu vois, vous voyez, tu sais, vous savez, franchement, allez, tiens, hein, d'accord, moi, déjà,
    d'abord, un, deux, trois, quatre, cinq, premièrement, deuxièmement, la première, la deuxième, la troisième, monsieur, madame, messieurs`,
  ),
  idiom: anywhere(
    `il y a, il y avait, y a, y avait, y'a, il faut, il fallait, il pleut, il pleuvait, il fait (?:froid|chaud|nuit|beau), il neige, c'est-à-dire, tout ça, ce que (?:je|tu|on|vous), ce qui`,
  ),
  pointing: anywhere(
    `ça, c'est, c'était, c'étaient, cela, ceci, ce(?! que| qui), cet, cette, ces, il, elle, ils, elles, lui, eux, y, là, ici, celui, celle, ceux, celles, comme ça, j'y, t'y, s'y, l'a, l'ai, l'avait,
    (?:je|tu|on|il|nous|vous) (?:le|la|les|l')(?= ), en avait, j'en, qu'il, qu'elle, qu'ils, qu'elles, s'il`,
  ),
  elliptic: anywhere(
    `

    (?:le|la|les|l'|un|une) ?(?:premier|première|deuxième|troisième|dernier|dernière|autre|autres|même|mêmes|deux|trois)(?= (?:c'est|est|était|a|sont)|\\s?[,:]|$),
    l'un d'eux, aucun, pareil, non plus, (?:son|sa|ses|leur|leurs)(?= ), (?:plus|moins|aussi) [\\p{L}]+(?=$)
  `,
  ),
  announcing: anywhere(
    `
     je vais te raconter, je vais vous raconter, je te raconte, je vous raconte, je voulais dire, je voudrais parler,
    on va parler, une question, écoutez ça, je vous dis, je te dis, on passe, tu peux, vous pouvez, je peux,
    est-ce que je peux, raconte, vas-y, allez-y, j'ai une question, on va, je vais vous, je vais te, par exemple, tu dis quoi,
    je sais pas, je ne sais pas, je crois pas, tu vas voir, vous allez voir, ça veut dire, j'avais une, t'as une, j'ai droit,
    je veux dire , comment ça, je crois, je pense, j'imagine, je suppose, si tu veux, si vous voulez, on va dire,
    je voulais parler , perdu le fil, où j'en étais, on en était
  `,
  ),
  subordinate: atStart(
    `
     si, quand, lorsque, pendant que, parce que, bien que, comme, où, que, qui, pour que, avant de, après, dont, dès que,
    quoi, jusqu'à ce, afin, plutôt, tandis que, sinon, pourtant, d'ailleurs, même, et, mais, ou, donc, alors, puis, ensuite,
    aussi, sauf, pas, seulement, bref, du coup, voilà , merci, bienvenue, bonjour, bonsoir, pardon
  `,
  ),
  tail: anywhere(
    `quand, parce que, pendant que, lorsque, pour que, jusqu'à ce que, alors que, sauf que, dès que, avant que`,
  ),
  preposition: atStart(
    `à, au, aux, avec, chez, contre, dans, de, des(?= \\p{L}+$), du, depuis, derrière, devant, en, entre, jusqu'à, par, parmi, pour, sans, sauf, sous, sur, vers, ni, pas, plus, très`,
  ),
  verb: anywhere(
    `
    est, sont, était, étaient, suis, es, sommes, êtes, a, ai, as, ont, avons, avez, avait, avais, avaient, va, vont, vais,
    vas, fait, font, fais, peut, peux, peuvent, veut, veux, faut, doit, dois, sait, sais, dit, disent, prend, prends, met,
    voit, vois, vient, viennent, pars, part, c'est, c'était, j'[\\p{L}]+,
    (?:je|tu|on|nous|vous|ils|elles|il|elle|qui|personne) (?:ne |n'|me |m'|te |se |s'|y |en |le |la |les )?[\\p{L}]+,
    [\\p{L}]{3,}(?:ait|aient|ais|ez|ons), n'[\\p{L}]+, s'[\\p{L}]+,
    (?:arrête|arrêtez|regarde|regardez|faites|prenez|donnez|laisse|laissez|mets|mettez), se [\\p{L}]+
  `,
  ),
  subjectless: NEVER,
  loose: atEnd(
    `le, la, les, l', un, une, des, du, de, d', et, ou, mais, à, au, aux, en, dans, sur, avec, pour, par, sans, que, qu', qui, si, mon, ma, mes, ton, ta, son, sa, ses, leur, très, plus, est, était, a,
    je, tu, on, il, elle, ce, se, ne, dit, dis, disait, comme, quand, ne`,
  ),
  asking: atStart(
    `pourquoi, comment, qu'est-ce, qui, quand, où, combien, quel, quelle, quels, quelles, est-ce, à quoi`,
  ),
  determiner: alone(
    `
    le, la, les, un, une, des, du, mon, ma, mes, ton, ta, tes, son, sa, ses, notre, nos, votre, vos, leur, leurs, au, aux,
    chaque, ce, cet, cette, ces
  `,
  ),
  subject: alone(`je, tu, on, il, elle, ils, elles, nous, vous, ne, me, te, se, qui, ça`),
  nounLast: false,
  nounsInCapitals: false,
  hesitation: alone(`euh, heu, hum, hein, mm, mhm`),
}

const PATTERNS: Readonly<Record<string, TitlePatterns>> = {
  en: ENGLISH,
  es: SPANISH,
  de: GERMAN,
  fr: FRENCH,
}

/** Those of a BCP 47 or ISO 639-2 language; null for one whose grammar is not known here. */
export const titlePatternsOf = (language: string): TitlePatterns | null =>
  PATTERNS[languageCode(language)] ?? null
