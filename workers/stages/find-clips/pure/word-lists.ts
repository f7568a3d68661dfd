/** PURE. Word lists of the scorer, English first; other languages fall back on punctuation, pauses, figures and terms. */

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

/** Words without a topic. */
export const STOP_WORDS = set(`
  a an the this that these those some any each every either neither no not nor only own same so than too very just also
  and or but if because as until while of at by for with about against between into through during before after above
  below to from up down in out on off over under again further then once here there when where why how all both few more
  most other such i me my myself we our ours ourselves you your yours yourself he him his himself she her hers herself it
  its itself they them their theirs themselves what which who whom whose am is are was were be been being have has had
  having do does did doing done will would shall should can could may might must ought i'm you're he's she's it's we're
  they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll isn't aren't
  wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't cannot couldn't shouldn't that's who's
  what's here's there's where's when's how's let's yes yeah yep okay ok oh um uh er ah hmm mm wow well right like really
  actually basically literally kind sort thing things stuff lot lots way got get gets getting go goes going gone went come
  comes came say says said tell tells told know knows knew think thinks thought see saw seen look looks looked want wants
  wanted make makes made take takes took give gives gave put puts let maybe quite much many still even ever never always
  back now today one two first another someone something anyone anything everyone everything nothing nobody people
  mean means good great big little new old long last next
`)

/** Hesitations. */
/** Hesitations in every language; the English ones are words elsewhere ("er" and "um" in German). */
export const FILLERS = set('uh erm uhm ehm hmm mm mhm ah eh äh ähm öh euh')
export const ENGLISH_FILLERS = set('um er')
export const FILLER_PHRASES =
  /\b(you know|i mean|sort of|kind of|like i said|as i said|let me (just )?(find|check|see)|where was i)\b/gi

/** Housekeeping of a recording, which is never worth a clip. */
export const LOGISTICS =
  /\b(welcome (back )?to|welcome back|before we (start|begin|get started|dive)|housekeeping|are we (rolling|live|recording)|(is|can) (this|you|everyone|everybody) (mic|microphone|hear|see)|microphone|can you hear|subscribe|like and|hit the bell|newsletter|show notes|notes for this (show|episode)|link in the|in the description|our sponsor|sponsored by|this episode is|promo code|my guest (today|tonight|this week)|thank(s| you)( so much)? for (coming|joining|having|being|listening|watching|tuning)|that is all for (today|this)|that's all for (today|this)|see you (next|soon)|next (week|time|episode)|(write|email) (to )?us|stay tuned|after the break|we'll be right back|quick break|let's get started|halfway|water on the table|my notes|stay close to it|sounds fine|next slide|share my screen|you're on mute|good (morning|afternoon|evening),? everyone|on our website)\b/i

/** Beginnings of sentences that depend on the previous one. */
export const LEANING_STARTS =
  /^(and|but|so|because|or|then|also|plus|which|that's why|that is why|it|it's|he|she|they|he's|she's|they're|him|her|them|that|that's|this|these|those|there|anyway|otherwise|however|therefore|instead|too|either|not|like|the others?|all the others?|the rest|most of them|some of them|the same|another)\b/i
/** Such beginnings that are also a usual way to start a thought. */
export const SOFT_STARTS =
  /^(so what|so how|so why|so tell|so, (what|how|why|take|tell)|but (what|how|why) |and (what|how|why) |this is (the|what|how|why)|there (is|are|was|were) (a|one|two|three|only|no|nothing)|that is the|it (was|is) the (best|worst|first|last|day|moment))/i
/** One-word reactions. */
export const REACTIONS =
  /^(right|yeah|yes|yep|no|okay|ok|wow|sure|exactly|totally|absolutely|definitely|well|good|great|nice|cool|oh|ah|hm+|really|true|i see|got it|of course|thank you|thanks|honestly|sorry)\b[\s.,!?]*$/i

export const HOOK_PHRASES: readonly (readonly [RegExp, number, string])[] = [
  [/\b(here is|here's|this is) (the|what|how|why|a|my)\b/i, 16, 'Opens by promising something'],
  [
    /\b(changed my (mind|life)|changed everything|the (truth|secret|problem|mistake|reason|trick|real|biggest|worst|best|hardest|first thing))\b/i,
    15,
    'Opens with a promise of something that matters',
  ],
  [
    /\b(what if|imagine|picture this|guess (how|what|who)|did you know|have you ever|ask yourself)\b/i,
    17,
    'Opens by making the listener think',
  ],
  [/\b(tell me about|take me back|what happened|how did you)\b/i, 12, 'Opens by asking for a story'],
  [
    /\b(nobody|no one|everyone|everybody|most people|never|always|stop|don't|must|only)\b/i,
    7,
    'Opens with a strong claim',
  ],
  [
    /\b(i (was|am) wrong|i (lost|failed|quit|regret|nearly|almost|was terrified|was scared)|i made a mistake|confess)\b/i,
    14,
    'Opens with a confession',
  ],
  [
    /\b(rules?|steps?|reasons?|lessons?|ways?|things|mistakes|questions|tips)\b/i,
    8,
    'Opens with a list to follow',
  ],
  [
    /\b(one|the) (day|night|morning|week|time|year)\b|\bthis was our\b|\ba (man|woman|kid|boy|girl|guy|customer|friend|stranger) (walks|walked|came|comes|calls|called|asked|asks|said)\b/i,
    11,
    'Opens like a story',
  ],
]

export const VALUE_PHRASES: readonly (readonly [RegExp, number, string])[] = [
  [
    /\b(rule|step|lesson|tip|principle|advice) (one|two|three|four|five|number|\d)|\b(first|second|third|number one|number two)(ly)?,|\b(three|four|five|two) (rules|steps|reasons|lessons|things|ways|questions)/i,
    16,
    'Gives rules to follow',
  ],
  [
    /\b(because|the reason|that's why|that is why|which means|it turns out|turns out|in other words|for example|for instance|the point is|what matters|the lesson)\b/i,
    9,
    'Explains why',
  ],
  [
    /\b(how to|you (can|should|need to|have to|must|want to)|don't|do not|never|always|make sure|start by|instead of|try to|learn(ed)?|remember)\b/i,
    6,
    'Gives advice',
  ],
  [
    /\b(not|n't|never)\b[^.?!]{2,60}\b(but|it is|it's|they were|they are|instead)\b|\bso [a-z ]+ (were|are|is|was) not\b/i,
    9,
    'Turns an assumption round',
  ],
]

export const EMOTION_WORDS = set(`
  love loved hate hated afraid fear fears scared terrified terror cry cried crying tears laugh laughed joke angry anger
  furious proud pride ashamed shame happy happiness sad sadness heartbroken broke heart lonely alone grief died dead death
  die dying killed lost lose hope hopeless dream dreams miracle incredible unbelievable amazing beautiful awful terrible
  horrible worst best crazy insane shocked shocking surprised suddenly desperate struggle struggled pain painful hurt
  suffering sacrifice brave courage danger dangerous daughter son mother father wife husband child children baby family
  friend friends truth lie lied liar trust betrayed forgive regret mistake failed failure quit fired bankrupt won win
  winning victory freedom war fight fought secret guilty sorry thank grateful blessed finished closing doomed
`)
export const STORY_PHRASES: readonly (readonly [RegExp, number, string])[] = [
  [
    /\b(he|she|they|i|we|man|woman|boss|doctor|mother|father) (says?|said|asks?|asked|told|tell|whispers?|whispered|shouts?|shouted|answered|replied)\b/i,
    9,
    'Lets people speak',
  ],
  [
    /\b(turns out|suddenly|the next (morning|day|week)|and then|until one|that was (my|our|the) last|at that moment|all of a sudden)\b/i,
    10,
    'Has a turn in it',
  ],
  [
    /\b(my|his|her|our|their) (daughter|son|mother|father|wife|husband|brother|sister|child|children|kids|family|friend)\b/i,
    11,
    'Touches on family',
  ],
]

export const CLOSING_PHRASES =
  /\b(that's (it|all|why|how|the)|that is (it|all|why|how|the)|in the end|at the end of the day|the point is|so remember|the lesson|and that|never|always|forever|nothing else|no more)\b/i

/** Words in a prompt that belong to the request and not to its topic. */
export const QUESTION_WORDS = set(`
  find clip clips moment moments part parts video videos segment segments highlight highlights best strong stronger
  strongest engaging interesting viral short shorts social media post posts audience viewers watch choose pick select
  look focus prefer include show topic topics talk talks talking discuss discusses discussing discussion mention mentions
  mentioned mentioning speak speaks speaker speakers where please should must want need contain contains containing
  complete standalone self-contained selfcontained hook hooks start end ending beginning section sections content
  podcast interview episode conversation anything everything something make sure give around related regarding
  especially mostly mainly concerning prioritise prioritize emphasise emphasize highlight extract create generate
  attention grabbing compelling shareable powerful memorable valuable most would will work works well stand
  busca encuentra muestra momento momentos partes escena escenas clips sobre acerca donde habla hablan trata
  finde suche zeige momente stelle stellen teil teile über spricht sprechen handelt
  trouve cherche montre moments passage passages parties parle parlent
  encontre procure mostre trechos fala falam trova mostra momenti parti parla parlano
`)
/** Phrases in a prompt that request a kind of moment rather than a topic. */
export const INTENTS: readonly (readonly [RegExp, 'hook' | 'value' | 'emotion' | 'ending' | 'flow'])[] = [
  [
    /\b(funny|humou?r|emotional|emotion|inspiring|inspirational|touching|moving|dramatic|personal|story|stories|anecdotes?|heartfelt)\b/i,
    'emotion',
  ],
  [
    /\b(advice|tips?|lessons?|educational|practical|how-?to|insights?|takeaways?|facts?|numbers?|statistics|data|useful|actionable)\b/i,
    'value',
  ],
  [/\b(hooks?|provocative|controversial|surprising|bold|questions?|curious|contrarian)\b/i, 'hook'],
  [/\b(punch ?lines?|conclusions?|endings?|quotes?|quotable)\b/i, 'ending'],
]

export const NUMBER_WORDS = set(`
  two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
  twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion percent dozen half twice
  double doubled triple zero
`)

/** Words that stay in lower case inside a headline. */
export const SMALL_WORDS = set(
  'a an the and or but nor for of to in on at by with from as vs via per than if so',
)

/** Last words of names of places and organisations, which are not people. */
export const PLACE_WORDS = set(`
  street road avenue lane square park city town county river lake sea ocean island mountain mount valley university
  college school church hospital station airport company inc ltd corp group bank museum street's house hall centre center
  cycles bikes office institute committee council court party union association league club team state states kingdom
  republic street day week month year war act prize award show podcast news times post journal press open north south east
  west january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday christmas easter english french german american british internet google apple
`)

/** Common first names, enough to tell "Ruben Hale" from "Lantern Street" when nothing else does. */
export const FIRST_NAMES = set(`
  james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald
  steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric
  jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry
  tyler aaron jose adam nathan henry douglas zachary peter kyle walter ethan jeremy harold keith christian roger noah
  gerald carl terry sean austin arthur lawrence jesse dylan bryan joe jordan billy bruce albert willie gabriel logan alan
  juan wayne roy ralph randy eugene vincent russell elijah louis bobby philip johnny mary patricia jennifer linda
  elizabeth barbara susan jessica sarah karen lisa nancy betty margaret sandra ashley kimberly emily donna michelle carol
  amanda dorothy melissa deborah stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela
  emma nicole helen samantha katherine christine debra rachel carolyn janet catherine maria heather diane ruth julie
  olivia joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah jacqueline martha
  gloria teresa ann sara madison frances kathryn janice jean abigail alice julia judy sophia grace denise amber doris
  marilyn danielle beverly isabella theresa diana natalie brittany charlotte marie kayla alexis lori ruben maya liam oliver
  lucas mia ava ella luca marco luis carlos miguel pedro ana elena sofia ivan olga hans klaus jurgen anders lars erik
  ingrid priya raj amit ahmed mohamed muhammad fatima omar ali hassan chen wei yuki kenji hiroshi barack abraham winston
  steve bill tim tom mike dave chris matt dan ben sam nick alex tony jim bob rob ed fred max leo oscar felix hugo simon
  martin ian neil graham stuart colin nigel fiona claire sophie lucy kate jane rosa nina clara eva lena jonas emil
`)
