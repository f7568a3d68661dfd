/** Makes functions that read and write whole rows of one table, found by the values of some of its columns. */
import { and, asc, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'

/** What a function needs that may be called inside a transaction of the same connection. */
export type Orm = Pick<Db, 'orm'>
type Row<Table extends SQLiteTable> = Table['$inferSelect']
type NewRow<Table extends SQLiteTable> = Table['$inferInsert']
type Column<Table extends SQLiteTable> = keyof Row<Table> & string
type Values<Table extends SQLiteTable, Names extends readonly Column<Table>[]> = {
  [At in keyof Names]: NonNullable<Row<Table>[Names[At]]>
}

function columnOf(table: SQLiteTable, name: string) {
  const column = getTableColumns(table)[name]
  if (column === undefined) throw new Error(`a table has no column ${name}`)
  return column
}

const matching = (
  table: SQLiteTable,
  names: readonly string[],
  values: readonly unknown[],
): SQL | undefined => and(...names.map((name, at) => eq(columnOf(table, name), values[at])))

/** Finds the row with these values; its statement is prepared once. */
export function findBy<Table extends SQLiteTable, const Names extends readonly Column<Table>[]>(
  table: Table,
  ...names: Names
): (db: Orm, ...values: Values<Table, Names>) => Row<Table> | null {
  const places = names.map((name) => sql.placeholder(name))
  const statement = oncePerConnection((db: Orm) =>
    db.orm
      .select()
      .from(table as SQLiteTable)
      .where(matching(table, names, places))
      .prepare(),
  )
  return (db, ...values) => {
    const row = statement(db).get(Object.fromEntries(names.map((name, at) => [name, values[at]])))
    return (row as Row<Table> | undefined) ?? null
  }
}

/** Lists the rows with these values, in the order of other columns, lowest first. */
export function listBy<Table extends SQLiteTable, const Names extends readonly Column<Table>[]>(
  table: Table,
  names: Names,
  ...order: Column<Table>[]
): (db: Orm, ...values: Values<Table, Names>) => Row<Table>[] {
  return (db, ...values) =>
    db.orm
      .select()
      .from(table as SQLiteTable)
      .where(matching(table, names, values))
      .orderBy(...order.map((name) => asc(columnOf(table, name))))
      .all()
}

interface Selection {
  readonly where: SQL | undefined
  /** Columns as they are: lowest first. */
  readonly order?: readonly (SQLiteColumn | SQL)[]
  readonly limit?: number
}

/** Lists rows. */
export function listWhere<Table extends SQLiteTable>(
  db: Orm,
  table: Table,
  { where, order = [], limit = -1 }: Selection,
): Row<Table>[] {
  const rows = db.orm.select().from(table as SQLiteTable)
  return rows
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .all()
}

/** Lists ids of rows. */
export function listIds(
  db: Orm,
  table: SQLiteTable & { readonly id: SQLiteColumn },
  { where, order = [], limit = -1 }: Selection,
): string[] {
  const rows = db.orm.select({ id: table.id }).from(table)
  return rows
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .all()
    .map(({ id }) => id as string)
}

export const insertInto =
  <Table extends SQLiteTable>(table: Table) =>
  (db: Orm, row: NewRow<Table>): void =>
    void db.orm.insert(table).values(row).run()

/** Inserts a row; false where one with the same key is there already. */
export const insertNewInto =
  <Table extends SQLiteTable>(table: Table) =>
  (db: Orm, row: NewRow<Table>): boolean =>
    db.orm.insert(table).values(row).onConflictDoNothing().run().changes === 1

/** Inserts a row, or sets the columns of the one with the same `keys`, those of `kept` apart. */
export function saveInto<Table extends SQLiteTable>(
  table: Table,
  keys: readonly Column<Table>[],
  kept: readonly Column<Table>[] = [],
): (db: Orm, row: NewRow<Table>) => void {
  const target = keys.map((name) => columnOf(table, name))
  const stays = new Set<string>([...keys, ...kept])
  return (db, row) => {
    const set = Object.fromEntries(Object.entries(row).filter(([name]) => !stays.has(name)))
    db.orm
      .insert(table as SQLiteTable)
      .values(row)
      .onConflictDoUpdate({ target, set })
      .run()
  }
}

/** Sets columns of the row with this value. */
export const updateBy =
  <Table extends SQLiteTable, const Name extends Column<Table>>(table: Table, name: Name) =>
  (db: Orm, value: NonNullable<Row<Table>[Name]>, changes: Partial<NewRow<Table>>): void =>
    void db.orm
      .update(table)
      .set(changes)
      .where(matching(table, [name], [value]))
      .run()

/** Deletes the rows with these values; false where there are none. */
export const deleteBy =
  <Table extends SQLiteTable, const Names extends readonly Column<Table>[]>(table: Table, ...names: Names) =>
  (db: Orm, ...values: Values<Table, Names>): boolean =>
    db.orm
      .delete(table)
      .where(matching(table, names, values))
      .run().changes > 0
