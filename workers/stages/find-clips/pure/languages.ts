/**
 * PURE. Closed classes of words in the languages whose sentences are read more closely: connectives, pronouns, verbs of
 * saying, marks of the past, and how housekeeping sounds. In other languages these are never found, and the structure of
 * turns, pauses, reactions and topics decides alone.
 */
import { alone, anywhere, atStart } from './word-patterns.ts'

/** Patterns that are looked for in a sentence in lower case with straight apostrophes. */
export interface LanguagePatterns {
  /** Beginnings that need what was said before: connectives, and pronouns without their noun. */
  readonly leaning: RegExp
  /** Beginnings that open a story or a thought. */
  readonly opening: RegExp
  /** Somebody is quoted. */
  readonly saying: RegExp
  readonly past: RegExp
  readonly firstPerson: RegExp
  readonly secondPerson: RegExp
  readonly negation: RegExp
  /** Turns against what was said. */
  readonly contrast: RegExp
  readonly reason: RegExp
  readonly strong: RegExp
  readonly feeling: RegExp
  readonly family: RegExp
  /** So many things are announced. */
  readonly announcement: RegExp
  /** A point of a list. */
  readonly point: RegExp
  readonly number: RegExp
  /** Notices, greetings, thanks, advertisements, technical matters. */
  readonly housekeeping: RegExp
  /** Answers that say nothing: right, okay, mhm. */
  readonly reaction: RegExp
  readonly filler: RegExp
  /** Beginnings with which somebody breaks into what is told. */
  readonly interrupts: RegExp
  /** Ways back to what was told before. */
  readonly resumes: RegExp
}

const ENGLISH: LanguagePatterns = {
  leaning: atStart(
    `and, but, so, because, or, then, also, plus, which, it, it's, he, she, they, he's, she's, they're, he'd, she'd, they'd,
    him, her, them, that, that's, this, these, those, there, anyway, otherwise, however, therefore, instead, too, not, like,
    no, yes, yeah, exactly, right, well, same, until, whereas, though, although, except, even`,
  ),
  opening: atStart(
    `so (?:we|i|my|there|when|in|this|the|one|what|how|why), when i, when we, i was, i had, i used, i once, i remember, i'll
    tell you, let me tell, let me give, here's, here is, there was, there were, there's a, one day, once, years ago, in the,
    in (?:19|20)\\d\\d, last (?:year|week|month|winter|summer), my (?:mother|father|grandmother|grandfather|wife|husband|
    brother|sister|daughter|son|first|boss|friend|teacher), this is a story, the first time, imagine, suppose, how do, why
    do, what do, what is, what's the, tell me, i tell, i think, i believe, everybody, nobody, most people, people`,
  ),
  saying: anywhere(
    `said, says, asked, asks, told, tells, replied, answered, shouted, whispered, called out, he goes, she goes, i go,
    thought`,
  ),
  past: anywhere(
    `was, were, had, did, went, came, said, got, took, made, saw, knew, thought, told, found, gave, left, felt, stood, sat,
    heard, kept, held, brought, ran, lost, paid, put, sent, wrote, began, met, fell, drove, bought, built, [a-z]{3,}ed`,
  ),
  firstPerson: anywhere(`i, i'm, i'd, i've, i'll, me, my, we, we're, we'd, we've, us, our, myself`),
  secondPerson: anywhere(`you, your, you're, you've, you'll, you'd, yourself`),
  negation: anywhere(`not, no, never, nobody, nothing, none, nowhere, [a-z]+n't`),
  contrast: anywhere(
    `but, actually, instead, except, however, turns out, turned out, it wasn't, the thing is, in fact, yet, suddenly, until`,
  ),
  reason: anywhere(
    `because, that's why, which means, the reason, so that, it means, in other words, for example, the point, that is what,
    that's what`,
  ),
  strong: anywhere(
    `worst, best, most, ever, always, never, every, everything, nothing, only, all, biggest, first, last, completely, exactly,
    incredible, extraordinary, terrible, hundreds, thousands, millions`,
  ),
  feeling: anywhere(
    `cried, cry, crying, laughed, laughing, afraid, scared, frightened, ashamed, proud, angry, furious, love, loved, hate,
    hated, died, dead, death, lost, alone, sorry, tears, happy, sad, hurt, shame, guilty, hope, wept, terrified, broke`,
  ),
  family: anywhere(
    `mother, father, mum, mom, dad, wife, husband, son, daughter, brother, sister, grandmother, grandfather, gran, granny,
    uncle, aunt, friend, child, children, kids, baby, neighbour, neighbor`,
  ),
  announcement: anywhere(
    `(?:two|three|four|five|six|seven) (?:things|rules|reasons|questions|steps|ways|lessons|points|mistakes|words|tips|
    kinds|habits)`,
  ),
  point: atStart(
    `one, two, three, four, five, first, second, third, fourth, fifth, firstly, secondly, thirdly, finally, lastly,
    number (?:one|two|three|four|five), and (?:four|five|three|the last|finally), the (?:first|second|third|fourth|last)`,
  ),
  number: anywhere(
    `\\d\\S*, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, fifteen, twenty, thirty, forty, fifty,
    sixty, seventy, eighty, ninety, hundred, thousand, million, billion, percent, per cent, half`,
  ),
  housekeeping: anywhere(
    `welcome, welcome back, housekeeping, before we start, before we begin, are we rolling, thanks for, thank you for, thank you all, tickets, sponsor, sponsored, episode, this episode,
    subscribe, promo code, discount code, website, sign up, newsletter, email, emails, emailed, dot com, break, after the
    break, microphone, mic, can everyone hear, the slides, next slide, handout, handouts, register, registration, coffee,
    toilets, fire exit, exits, parking, minutes left, running late, questions at the end, next week, see you, goodbye, bye,
    good morning, good evening, good afternoon, announcements, notices, bulletin, please turn, please be seated, show notes,
    listeners, hello and, recording, moving on, let's move, we'll come to, we'll come back, out of time, that's all we have`,
  ),
  reaction: alone(
    `right, yeah, yes, yep, no, okay, ok, wow, sure, exactly, totally, absolutely, definitely, well, good, great, nice, oh, ah,
    hm, hmm, mm, mhm, really, true, i see, got it, of course, thank you, thanks, sorry, go on, ha, amen, god, never, lovely,
    fine, same, me too, i know, interesting, stop it, oh no, oh dear, please, cheers, anyway, fair enough`,
  ),
  filler: anywhere(`um, uh, er, erm, uhm, hmm, mm, mhm, you know, i mean, sort of, kind of`),
  interrupts: atStart(
    `hang on, hold on, wait a, wait wait, sorry, excuse me, pardon me, one second, one moment, just a second, just a moment,
    just a minute, quick break, we have to stop, i have to stop, i'm going to stop, can i stop, let me stop, is that someone's,
    is that your phone, whose phone, there's someone at, there's somebody at, somebody's at, someone's at`,
  ),
  resumes: anywhere(
    `where was i, where were we, where had i, as i was saying, i was saying, you were saying, go on, carry on, we're back,
    we left, you left us, back to the story, back to you, you haven't answered`,
  ),
}

const SPANISH: LanguagePatterns = {
  leaning: atStart(
    `y, e, pero, porque, o, entonces, también, además, que, eso, esto, ése, ese, esa, éste, este, ésta, él, ella, ellos,
    ellas, lo, la, los, las que, le, les, así que, así, pues, bueno, no, sí, claro, exacto, luego, aunque, sino, tampoco,
    igual, o sea, total, ahí, allí, como, por eso, sin embargo, aun así, ya`,
  ),
  opening: atStart(
    `cuando yo, cuando tenía, cuando era, yo era, yo tenía, yo estaba, yo venía, una vez, un día, había, hubo, hace (?:años|un|dos|
    tres|muchos|unos), en (?:19|20)\\d\\d, mi (?:madre|padre|abuela|abuelo|mujer|marido|hermano|hermana|hija|hijo|primer|primera|
    amigo|jefe), te cuento, les cuento, os cuento, le cuento, mira, mire, recuerdo, me acuerdo, imagínate, imagina, imagínense,
    la primera vez, el primer, la gente, nadie, todo el mundo, qué, cómo, por qué, cuál, cuánto, cuántos, yo creo, yo pienso, yo
    digo, el año`,
  ),
  saying: anywhere(
    `dijo, dije, decía, dice, digo, dijeron, preguntó, pregunté, preguntaba, contestó, contesté, respondió, respondí, gritó,
    me dice, le digo, pensé`,
  ),
  past: anywhere(
    `[\\p{L}]{2,}(?:ó|aba|ábamos|aban|ía|íamos|ían|aron|ieron|imos|aste), era, éramos, eran, fue, fui, fueron, había, hubo, tuve,
    tuvo, estuve, estuvo, hice, hizo, dije, dijo, vine, vino, puse, puso, vi, vio, supe, supo, quise, quiso, [\\p{L}]{3,}é`,
  ),
  firstPerson: anywhere(
    `yo, me, mi, mis, nosotros, nosotras, nos, nuestro, nuestra, nuestros, nuestras, conmigo, soy, estoy, tengo`,
  ),
  secondPerson: anywhere(
    `tú, te, ti, tu, tus, usted, ustedes, vosotros, os, vuestro, contigo, tienes, tenéis, puedes, podéis`,
  ),
  negation: anywhere(`no, nunca, jamás, nadie, nada, ningún, ninguno, ninguna, ni, tampoco`),
  contrast: anywhere(
    `pero, sino, en realidad, de hecho, resulta, resultó, sin embargo, de repente, de pronto, hasta que, en cambio`,
  ),
  reason: anywhere(
    `porque, por eso, es decir, por ejemplo, o sea que, significa, quiere decir, la razón, el motivo, así que`,
  ),
  strong: anywhere(
    `peor, mejor, más, siempre, nunca, todo, todos, nada, sólo, solo, único, única, primera, primero, último, última, jamás,
    enorme, increíble, terrible, cientos, miles, millones`,
  ),
  feeling: anywhere(
    `lloré, lloró, llorar, llorando, reí, rió, reír, miedo, vergüenza, orgullo, orgulloso, rabia, quería, quiso, amor, odio, murió,
    muerto, muerte, perdí, perdió, solo, sola, perdón, lágrimas, feliz, triste, dolor, culpa, esperanza, pena, susto`,
  ),
  family: anywhere(
    `madre, padre, mamá, papá, mujer, marido, esposa, esposo, hijo, hija, hijos, hermano, hermana, abuela, abuelo, tío, tía,
    amigo, amiga, niño, niña, niños, vecino, vecina, suegra, primo, prima`,
  ),
  announcement: anywhere(
    `(?:dos|tres|cuatro|cinco|seis|siete) (?:cosas|reglas|razones|preguntas|pasos|formas|maneras|lecciones|puntos|errores|palabras|
    consejos|tipos|costumbres)`,
  ),
  point: atStart(
    `uno, una, dos, tres, cuatro, cinco, primero, segundo, tercero, cuarto, quinto, lo primero, lo segundo, lo tercero, lo cuarto,
    primera, segunda, tercera, y (?:cuatro|cinco|tres|por último), por último, la (?:primera|segunda|tercera|cuarta|última)`,
  ),
  number: anywhere(
    `\\d\\S*, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, quince, veinte, treinta, cuarenta,
    cincuenta, sesenta, setenta, ochenta, noventa, cien, ciento, cientos, mil, millón, millones, por ciento, mitad, medio`,
  ),
  housekeeping: anywhere(
    `bienvenidos, bienvenidas, bienvenido, gracias por, patrocina, patrocinador, episodio, programa, suscrib\\p{L}+, código de descuento,
    página web, la web, correo, correos, punto com, publicidad, pausa, micrófono, micro, se oye, me oyen, diapositiva, inscri\\p{L}+,
    café, aparcamiento, avisos, aviso, boletín, parroquia, buenos días, buenas tardes, buenas noches, hasta la próxima, hasta
    luego, adiós, la semana que viene, oyentes, seguimos, volvemos, se nos acaba, nos queda poco, minutos, grabando`,
  ),
  reaction: alone(
    `sí, no, ya, claro, vale, bueno, bien, exacto, eso, ah, oh, mm, mhm, ajá, qué va, de verdad, en serio, por supuesto, gracias,
    perdón, madre mía, qué bueno, total, hombre, anda, amén, correcto, así es, muy bien, desde luego, qué fuerte`,
  ),
  filler: anywhere(`eh, em, este, o sea, bueno, pues, digamos, mm`),
  interrupts: atStart(
    `espera, espere, esperad, esperen, perdona, perdone, perdonad, perdón, disculpa, disculpe, disculpen, un momento, un segundo,
    un momentito, un segundito, te corto, le corto, tengo que cortarte, hacemos una pausa, nos vamos a la publicidad`,
  ),
  resumes: anywhere(
    `por dónde iba, por dónde íbamos, dónde estaba, dónde estábamos, como decía, como te decía, como le decía, nos decías, seguimos,
    sigue, siga, la habíamos dejado, lo habíamos dejado, nos habíamos quedado, volviendo a, ya estamos de vuelta`,
  ),
}

const GERMAN: LanguagePatterns = {
  leaning: atStart(
    `und, aber, denn, oder, also, dann, da, das, dies, diese, dieser, dieses, er, sie, es, ihn, ihm, ihr, ihnen, die, der, deshalb,
    deswegen, darum, daher, außerdem, trotzdem, jedenfalls, sondern, nein, ja, nee, genau, richtig, stimmt, auch, nur, weil, dass,
    damit, davon, dafür, dagegen, dazu, darauf, danach, dort, so, solche, naja, nun, eben, obwohl, sonst`,
  ),
  opening: atStart(
    `als ich, ich war, ich hatte, ich bin, ich habe, ich erinnere, einmal, eines tages, es war, es gab, es gibt, vor (?:\\p{L}+ )?(?:jahren|
    wochen|monaten), im jahr, (?:19|20)\\d\\d, mein (?:vater|großvater|opa|mann|bruder|sohn|chef|freund|erster), meine (?:mutter|
    großmutter|oma|frau|schwester|tochter|erste), letztes jahr, letzte woche, stellen sie sich, stell dir, ich erzähle, ich muss
    ihnen, das erste mal, wie, was, warum, wieso, wer, wann, jeder, niemand, alle, die meisten, ich glaube, ich finde, ich halte,
    nehmen wir, haben sie, wissen sie, kennen sie`,
  ),
  saying: anywhere(
    `sagte, sagt, sag, sagten, gesagt, fragte, fragt, gefragt, antwortete, antwortet, rief, meinte, meint, erzählte, flüsterte, schrie,
    dachte, gedacht`,
  ),
  past: anywhere(
    `war, waren, hatte, hatten, wurde, wurden, ging, gingen, kam, kamen, sah, sahen, stand, standen, saß, saßen, gab, nahm, fand,
    ließ, blieb, fiel, hielt, lief, rief, schrieb, sprach, starb, wusste, dachte, brachte, konnte, musste, wollte, sollte, durfte,
    [\\p{L}]{3,}te, [\\p{L}]{3,}ten, ge[\\p{L}]{3,}t, ge[\\p{L}]{3,}en`,
  ),
  firstPerson: anywhere(
    `ich, mich, mir, mein, meine, meinen, meinem, meiner, wir, uns, unser, unsere, unserem`,
  ),
  secondPerson: anywhere(
    `du, dich, dir, dein, deine, ihr, euch, ihnen, ihre, sie können, sie müssen, sie sollten, man`,
  ),
  negation: anywhere(`nicht, kein, keine, keinen, keiner, nie, niemals, niemand, nichts, nirgends`),
  contrast: anywhere(
    `aber, sondern, eigentlich, tatsächlich, plötzlich, auf einmal, stattdessen, dabei, trotzdem, jedoch, bis`,
  ),
  reason: anywhere(
    `weil, deshalb, deswegen, nämlich, das heißt, zum beispiel, der grund, darum, bedeutet, also`,
  ),
  strong: anywhere(
    `schlimmste, schlimmsten, beste, besten, größte, größten, immer, nie, alles, nichts, nur, einzige, einzigen, erste, letzte,
    unglaublich, völlig, ganz, genau, hunderte, tausende, millionen`,
  ),
  feeling: anywhere(
    `weinte, geweint, weinen, lachte, gelacht, lachen, angst, schämte, geschämt, scham, stolz, wütend, liebe, geliebt, hasse, gehasst,
    gestorben, starb, tot, tod, verloren, allein, tränen, glücklich, traurig, schmerz, schuld, hoffnung, erschrocken`,
  ),
  family: anywhere(
    `mutter, vater, mama, papa, frau, mann, sohn, tochter, bruder, schwester, oma, opa, großmutter, großvater, onkel, tante, freund,
    freundin, kind, kinder, nachbar, nachbarin, kollege, kollegin, enkel`,
  ),
  announcement: anywhere(
    `(?:zwei|drei|vier|fünf|sechs|sieben) (?:dinge|regeln|gründe|fragen|schritte|wege|lektionen|punkte|fehler|wörter|tipps|arten|
    sachen|ratschläge|hinweise)`,
  ),
  point: atStart(
    `erstens, zweitens, drittens, viertens, fünftens, eins, zwei, drei, vier, fünf, der erste, der zweite, der dritte, der vierte, das
    erste, das zweite, das dritte, das vierte, punkt, nummer, schließlich, zum schluss, und (?:viertens|drittens|letztens)`,
  ),
  number: anywhere(
    `\\d\\S*, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, fünfzehn, zwanzig, dreißig, vierzig, fünfzig,
    sechzig, siebzig, achtzig, neunzig, hundert, tausend, million, millionen, milliarden, prozent, hälfte, halb`,
  ),
  housekeeping: anywhere(
    `willkommen, herzlich willkommen, danke für, vielen dank, sponsor, werbung, folge, abonnier\\p{L}+, rabattcode, gutscheincode, webseite,
    website, newsletter, e-mail, mail, mails, mikrofon, mikro, hören sie mich, folie, folien, skript, klausur, anmeld\\p{L}+, kaffee,
    pause, parkplatz, nächste woche, nächstes mal, bis dann, tschüss, guten morgen, guten abend, guten tag, auf wiedersehen,
    aufzeichnung, sprechstunde, tutorium, übungsblatt, hinweise, organisatorisch\\p{L}*, gehen wir weiter, zeit ist um, hörsaal`,
  ),
  reaction: alone(
    `ja, nein, nee, genau, okay, ok, gut, ach, ah, oh, hm, mhm, klar, stimmt, richtig, wirklich, echt, danke, bitte, so, na ja, naja,
    natürlich, sicher, aha, ach so, schön, eben, doch, absolut, wahnsinn, sehr gut`,
  ),
  filler: anywhere(`äh, ähm, öh, hm, halt, sozusagen, quasi, irgendwie, na ja`),
  interrupts: atStart(
    `moment mal, moment, einen moment, augenblick, einen augenblick, entschuldigung, entschuldigen sie, verzeihung, warten sie,
    warte mal, warte, sekunde, eine sekunde, stopp, kurze unterbrechung, kurze pause, ich muss sie kurz, ich muss kurz, tut mir leid`,
  ),
  resumes: anywhere(
    `wo war ich, wo waren wir, wo waren sie, wo bin ich, zurück zu, zurück zur, zurück zum, wie gesagt, ich sagte gerade, sie sagten
    gerade, erzählen sie weiter, erzähl weiter, machen sie weiter, weiter geht's, wir sind wieder da, stehen geblieben`,
  ),
}

const FRENCH: LanguagePatterns = {
  leaning: atStart(
    `et, mais, parce que, ou, donc, alors, aussi, puis, ensuite, ça, c'est, c'était, cela, ce, cette, ces, il, elle, ils, elles, le, la,
    les, lui, leur, y, en, qui, que, du coup, bref, enfin, bon, ben, bah, non, oui, ouais, voilà, exactement, pareil, sinon, pourtant,
    d'ailleurs, là, comme, même, car, or, sauf`,
  ),
  opening: atStart(
    `quand j', quand je, quand on, j'étais, j'avais, j'ai, je me souviens, une fois, un jour, un soir, un matin, il y a, il y avait, en
    (?:19|20)\\d\\d, mon (?:père|grand-père|mari|frère|fils|premier|ami|chef), ma (?:mère|grand-mère|femme|sœur|fille|première), je vais
    te, je vais vous, je te raconte, je vous raconte, imagine, imaginez, la première fois, le premier, les gens, personne, tout le monde,
    pourquoi, comment, qu'est-ce, quel, quelle, combien, est-ce que, moi je, je pense, je crois, je trouve, l'année, l'été, l'hiver`,
  ),
  saying: anywhere(
    `a dit, ai dit, dit, disait, disais, disent, m'a dit, lui ai dit, demande, demandé, demandait, répond, répondu, répondait, crié, criait,
    je me suis dit, dis`,
  ),
  past: anywhere(
    `étais, était, étions, étaient, avais, avait, avions, avaient, [\\p{L}]{3,}(?:ait|ais|aient|ions), (?:j'ai|ai|as|a|avons|avez|ont|suis|est|
    sont|sommes) (?:\\p{L}+ )?[\\p{L}]{2,}(?:é|ée|és|ées|i|is|it|u|us|ue), fut, fit, vint, prit`,
  ),
  firstPerson: anywhere(`je, j'[\\p{L}]+, me, m'[\\p{L}]+, moi, mon, ma, mes, nous, notre, nos, on`),
  secondPerson: anywhere(`tu, t'[\\p{L}]+, te, toi, ton, ta, tes, vous, votre, vos`),
  negation: anywhere(`pas, jamais, rien, personne, aucun, aucune, plus, ni, non`),
  contrast: anywhere(
    `mais, en fait, en réalité, pourtant, sauf que, sauf, tout à coup, soudain, d'un coup, au lieu, par contre, jusqu'à`,
  ),
  reason: anywhere(
    `parce que, donc, c'est pour ça, c'est-à-dire, par exemple, ça veut dire, la raison, car, puisque, du coup`,
  ),
  strong: anywhere(
    `pire, meilleur, meilleure, plus, toujours, jamais, tout, toute, tous, rien, seul, seule, seulement, premier, première, dernier,
    dernière, incroyable, énorme, terrible, exactement, centaines, milliers, millions`,
  ),
  feeling: anywhere(
    `pleuré, pleurait, pleurer, ri, rire, riait, peur, honte, fier, fière, colère, aime, aimais, aimait, déteste, mort, morte, mourir, perdu,
    perdue, seul, seule, pardon, larmes, heureux, heureuse, triste, douleur, coupable, espoir, peine`,
  ),
  family: anywhere(
    `mère, père, maman, papa, femme, mari, fils, fille, frère, sœur, grand-mère, grand-père, mamie, papi, oncle, tante, ami, amie, enfant,
    enfants, gamin, gamine, voisin, voisine, copain, copine, collègue`,
  ),
  announcement: anywhere(
    `(?:deux|trois|quatre|cinq|six|sept) (?:choses|règles|raisons|questions|étapes|façons|leçons|points|erreurs|mots|conseils|types|trucs|
    habitudes)`,
  ),
  point: atStart(
    `un, une, deux, trois, quatre, cinq, premièrement, deuxièmement, troisièmement, d'abord, premier, deuxième, troisième, quatrième, le
    premier, le deuxième, le troisième, la première, la deuxième, la troisième, enfin, et (?:quatre|cinq|trois|enfin), pour finir`,
  ),
  number: anywhere(
    `\\d\\S*, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, quinze, vingt, trente, quarante, cinquante, soixante,
    quatre-vingts, cent, cents, mille, million, millions, milliard, milliards, pour cent, moitié, demi`,
  ),
  housekeeping: anywhere(
    `bienvenue, merci de, merci d'être, merci à tous, sponsor, partenaire, épisode, abonn\\p{L}+, code promo, site internet, le site,
    newsletter, mail, mails, point com, pub, pause, micro, vous m'entendez, on m'entend, diapo, inscri\\p{L}+, café, parking, annonces,
    bonjour, bonsoir, à bientôt, au revoir, la semaine prochaine, auditeurs, auditrices, on enregistre, on passe à, on y revient, on
    reviendra, il nous reste, minutes`,
  ),
  reaction: alone(
    `oui, ouais, non, d'accord, ok, okay, bien, ah, oh, hm, mm, mhm, exactement, voilà, vraiment, sérieux, bien sûr, merci, pardon, tout à
    fait, ah bon, c'est vrai, c'est ça, absolument, génial, super, ben oui, ah oui, je vois, carrément, grave`,
  ),
  filler: anywhere(`euh, heu, hum, ben, bah, genre, en fait, quoi, du coup, mm`),
  interrupts: atStart(
    `attends, attendez, pardon, excuse-moi, excusez-moi, excuse, excusez, une seconde, un instant, une minute, deux secondes, stop,
    désolé, désolée, je te coupe, je vous coupe, je t'arrête, je vous arrête, on va faire une pause, petite pause`,
  ),
  resumes: anywhere(
    `où j'en étais, où en étais-je, où en étions-nous, j'en étais, tu en étais, on en était, je disais, tu disais, vous disiez,
    je reprends, on reprend, reprends, reprenez, vas-y, allez-y, on t'avait laissé, on revient à, revenons`,
  ),
}

const PATTERNS: Readonly<Record<string, LanguagePatterns>> = {
  en: ENGLISH,
  es: SPANISH,
  de: GERMAN,
  fr: FRENCH,
}
const NAMES: Readonly<Record<string, string>> = {
  eng: 'en',
  spa: 'es',
  deu: 'de',
  ger: 'de',
  fra: 'fr',
  fre: 'fr',
}

/** The two letters of a BCP 47 or ISO 639-2 language that is read more closely; others as they are, in lower case. */
export function languageCode(language: string): string {
  const code = language.toLowerCase().split('-')[0] ?? ''
  return NAMES[code] ?? code
}

/** The patterns of a BCP 47 or ISO 639-2 language; null for one that is not read more closely. */
export const patternsOf = (language: string): LanguagePatterns | null =>
  PATTERNS[languageCode(language)] ?? null

/** Unknown languages are treated as English, whose words are the first to be recognised. */
export const isEnglish = (language: string): boolean => /^(en|eng|und|)(-|$)/i.test(language)
