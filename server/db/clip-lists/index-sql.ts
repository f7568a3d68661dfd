/** PURE text: triggers that follow every change of `listed_clips`, and statements that fill its indexes. */
import { POST_STATUSES } from './statuses.ts'
import { UNSPACED_LETTERS } from './letters.ts'

/** What a clip is filtered by, with the token that begins its entries in `clip_words`. */
export const TOKENS = {
  tags: '_t',
  people: '_p',
  keywords: '_k',
  statuses: '_s',
  aspectRatio: '_a',
  workflow: '_w',
  run: '_r',
  episode: '_e',
} as const
export type TokenKind = keyof typeof TOKENS

/** Kinds that have entries in `clip_terms`; the others match so few clips that they need no counts. */
const TERM_KINDS = ['tags', 'people', 'keywords', 'statuses', 'aspectRatio', 'workflow'] as const
export type TermKind = (typeof TERM_KINDS)[number]

/** Bits of `clip_keys.doc` below the number of the list. */
export const ROW_BITS = 32

/** Rows of `clip_words` between two docs. Large numbers are bound as floating point, by which the index cannot seek. */
export const DOC_BETWEEN = 'between cast(? as integer) and cast(? as integer)'

/** So many letters of a title are sorted by; ids decide between equals. */
const TITLE_LETTERS = 100

/** SQL's own trim knows the space only. */
const WHITESPACE =
  'char(9,10,11,12,13,32,160,5760,8192,8193,8194,8195,8196,8197,8198,8199,8200,8201,8202,8232,8233,8239,8287,12288,65279)'
const trim = (text: string): string => `trim(${text}, ${WHITESPACE})`

/** Texts are walked in blocks: to find a letter SQL counts from the beginning. */
const BLOCK = 500
const LETTER = `substr(block, at % ${BLOCK} + 1, 1)`

/** `text` with each letter exchanged; ASCII, which most texts are, needs no look at single letters. */
const fold = (text: string, column: 'plain' | 'word' | 'lower', other: string): string =>
  `case when ${text} not glob '*[^ -~]*' then lower(${text}) else (
    with recursive walk(at, block) as (
      select 0, substr(${text}, 1, ${BLOCK})
      union all
      select at + 1, case when (at + 1) % ${BLOCK} = 0 then substr(${text}, at + 2, ${BLOCK}) else block end
      from walk where at + 1 < length(${text})
    )
    select coalesce(group_concat(
      coalesce((select ${column} from clip_letters where letter = ${LETTER}), ${other}), '' order by at), '')
    from walk) end`

const foldedTitle = (title: string): string =>
  `substr(${fold(trim(title), 'plain', `lower(${LETTER})`)}, 1, ${TITLE_LETTERS})`
const foldedName = (name: string): string => fold(trim(name), 'lower', `lower(${LETTER})`)
const foldedWords = (text: string): string =>
  fold(
    text,
    'word',
    `case when ${LETTER} glob '[${UNSPACED_LETTERS}]' then ' ' || ${LETTER} || ' ' else lower(${LETTER}) end`,
  )

const names = (clip: string, kind: 'tags' | 'people' | 'keywords'): string =>
  `select '${kind}' as kind, ${foldedName('value')} as key, ${trim('value')} as label
   from json_each(${clip}.${kind}) where ${trim('value')} <> ''`

/** The same rules as in statuses.ts. */
const statuses = (clip: string): string =>
  [
    `select 'statuses' as kind, case when ${clip}.render_state = 1 then 'rendering' when ${clip}.rendered then 'rendered'
       when ${clip}.render_state = 2 then 'render_failed' else 'unrendered' end as key, null as label`,
    `select 'statuses', 'edited', null where ${clip}.edited`,
    ...POST_STATUSES.map(
      ([status, bit]) => `select 'statuses', '${status}', null where ${clip}.post_states & ${bit}`,
    ),
  ].join(' union all ')

/** kind, key and label of everything in `clip_terms` that a row of `listed_clips` has, each once. */
const termsOf = (clip: string): string =>
  `select kind, key, coalesce(min(label), key) as label from (${allTermsOf(clip)}) group by kind, key`

/** The same, some of them more than once. */
const allTermsOf = (clip: string): string => `
  ${names(clip, 'tags')} union all ${names(clip, 'people')} union all ${names(clip, 'keywords')}
  union all ${statuses(clip)}
  union all select 'aspectRatio', ${clip}.aspect_ratio, null
  union all select 'workflow', ${clip}.workflow_id, null`

const listOf = (clip: string): string =>
  `(select number from clip_lists where company_id = ${clip}.company_id)`
const docOf = (clip: string): string => `((${listOf(clip)} << ${ROW_BITS}) + ${clip}.row)`

/** As `clip_keys.terms` has them; `distinct` works with a comma only. */
const termIds = (clip: string): string =>
  `(select ' ' || replace(group_concat(distinct clip_terms.id), ',', ' ') || ' ' from (${allTermsOf(clip)}) as had
    join clip_terms on clip_terms.list = ${listOf(clip)} and clip_terms.kind = had.kind and clip_terms.key = had.key)`

/** The ids in a text of `clip_keys.terms`, as rows with a `value`. */
const idsIn = (terms: string): string => `json_each('[' || replace(trim(${terms}), ' ', ',') || ']')`

const namesText = (clip: string, column: string): string =>
  `(select coalesce(group_concat(value, ' '), '') from json_each(${clip}.${column}))`

const tokenOfKind = `case clip_terms.kind ${TERM_KINDS.map((kind) => `when '${kind}' then '${TOKENS[kind]}'`).join(' ')} end`

/** What `clip_words` indexes: words, then tokens. No word has a `_`, and no token is without. `terms`: its term ids. */
const wordsAndTokens = (clip: string, terms: string): string => {
  const text = `replace(${clip}.title || ' ' || ${clip}.bio || ' ' || ${namesText(clip, 'people')} || ' '
    || ${namesText(clip, 'keywords')}, '_', ' ')`
  return `(select ${foldedWords('text')} from (select ${text} as text))
    || ' ' || (select group_concat(${tokenOfKind} || hex(clip_terms.key), ' ')
      from ${idsIn(terms)} as ids join clip_terms on clip_terms.id = ids.value)
    || ' ${TOKENS.run}' || coalesce(hex(${clip}.run_id), '') || ' ${TOKENS.episode}' || hex(${clip}.source_id)
    || case ${clip}.source_input_id when '' then '' else ' ${TOKENS.episode}' || hex(${clip}.source_input_id) end`
}

const keysOf = (
  clip: string,
): string => `${docOf(clip)}, ${listOf(clip)}, ${clip}.clip_id, ${clip}.created_at,
  ${clip}.updated_at, ${clip}.duration, ${clip}.virality_score, ${foldedTitle(`${clip}.title`)}, ${termIds(clip)}`

const added = `
  insert into clip_lists (company_id, clips) values (new.company_id, 1)
    on conflict (company_id) do update set clips = clips + 1;
  insert into clip_terms (list, kind, key, label, clips)
    select ${listOf('new')}, kind, key, label, 1 from (${termsOf('new')}) where true
    on conflict (list, kind, key) do update set clips = clips + 1;
  insert into clip_keys (doc, list, clip_id, created_at, updated_at, duration, virality_score, title, terms)
    select ${keysOf('new')};
  insert into clip_words (rowid, words) select doc, ${wordsAndTokens('new', 'clip_keys.terms')}
    from clip_keys where doc = ${docOf('new')};`

/** The terms of a clip are found by its ids: what it had is known here, however it was worked out then. */
const removed = `
  update clip_lists set clips = clips - 1 where company_id = old.company_id;
  update clip_terms set clips = clips - 1 where id in (
    select value from clip_keys, ${idsIn('terms')} where doc = ${docOf('old')});
  delete from clip_terms where clips = 0 and id in (
    select value from clip_keys, ${idsIn('terms')} where doc = ${docOf('old')});
  delete from clip_keys where doc = ${docOf('old')};
  delete from clip_words where rowid = ${docOf('old')};`

/** A change of one of these columns is indexed again; a change of another one updates the keys only. */
const INDEXED = [
  'gone',
  'workflow_id',
  'run_id',
  'title',
  'bio',
  'aspect_ratio',
  'people',
  'keywords',
  'tags',
  'source_id',
  'source_input_id',
  'rendered',
  'edited',
  'render_state',
  'post_states',
]
const isIndexedAnew = INDEXED.map((column) => `old.${column} is not new.${column}`).join(' or ')

/** By name: triggers on `listed_clips`. */
export const INDEX_TRIGGERS: Readonly<Record<string, string>> = {
  listed_clips_indexed: `after insert on listed_clips when not new.gone begin ${added} end`,
  listed_clips_unindexed: `after delete on listed_clips when not old.gone begin ${removed} end`,
  listed_clips_left: `after update on listed_clips when not old.gone and new.gone begin ${removed} end`,
  listed_clips_returned: `after update on listed_clips when old.gone and not new.gone begin ${added} end`,
  listed_clips_reindexed: `after update on listed_clips when not old.gone and not new.gone and (${isIndexedAnew})
    begin ${removed} ${added} end`,
  listed_clips_moved: `after update on listed_clips when not old.gone and not new.gone and not (${isIndexedAnew})
    and (old.created_at, old.updated_at, old.duration, old.virality_score)
      is not (new.created_at, new.updated_at, new.duration, new.virality_score)
    begin update clip_keys set created_at = new.created_at, updated_at = new.updated_at, duration = new.duration,
      virality_score = new.virality_score where doc = ${docOf('new')}; end`,
}

/** The most frequent ones first: they get the shortest ids. */
const fillNames = (kind: 'tags' | 'people' | 'keywords'): string =>
  `insert into clip_terms (list, kind, key, label, clips)
   select number, '${kind}', ${foldedName('label')} as key, label, 0 from (
     select number, ${trim('value')} as label, count(*) as times
     from clip_lists join listed_clips using (company_id), json_each(listed_clips.${kind}) where not gone group by 1, 2)
   where label <> '' group by number, key order by sum(times) desc`

/**
 * Fills the indexes, which are empty, from `listed_clips`. Terms come with a count of 0: how many clips have each is
 * counted along `clip_keys` afterwards, since to sort ten million of them takes longer than everything else together.
 */
export const FILL_INDEX = [
  `insert into clip_lists (company_id, clips)
   select company_id, count(*) from listed_clips where not gone group by company_id`,
  `insert into clip_terms (list, kind, key, label, clips)
   select distinct number, 'statuses', key, key, 0 from clip_lists join (
     select distinct company_id, render_state, rendered, edited, post_states from listed_clips where not gone
   ) as stand using (company_id) join (select column1 as key from (values
     ('rendering'), ('rendered'), ('render_failed'), ('unrendered'), ('edited'),
     ${POST_STATUSES.map(([status]) => `('${status}')`).join(', ')})) as status
   where status.key in (select key from (${statuses('stand')}))`,
  `insert into clip_terms (list, kind, key, label, clips) select distinct number, 'aspectRatio', aspect_ratio, aspect_ratio, 0
   from clip_lists join listed_clips using (company_id) where not gone`,
  `insert into clip_terms (list, kind, key, label, clips) select distinct number, 'workflow', workflow_id, workflow_id, 0
   from clip_lists join listed_clips using (company_id) where not gone`,
  fillNames('tags'),
  fillNames('people'),
  fillNames('keywords'),
  `insert into clip_keys (doc, list, clip_id, created_at, updated_at, duration, virality_score, title, terms)
   select ${keysOf('listed_clips')} from listed_clips where not gone order by row`,
  // In the order of rowids: otherwise the full-text index writes out what it has gathered again and again.
  `insert into clip_words (rowid, words) select doc, ${wordsAndTokens('listed_clips', 'clip_keys.terms')}
   from clip_keys cross join listed_clips on listed_clips.row = clip_keys.doc & ${2 ** ROW_BITS - 1} order by doc`,
  // Merges a dozen index segments into one: each lookup of a word reads all of them.
  `insert into clip_words (clip_words) values ('optimize')`,
]

export const EMPTY_INDEX = [
  'delete from clip_lists',
  'delete from clip_terms',
  'delete from clip_keys',
  `insert into clip_words (clip_words) values ('delete-all')`,
  'delete from clip_letters',
]
