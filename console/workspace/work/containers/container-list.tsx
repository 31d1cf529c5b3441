import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "../../../api/hooks.ts";
import { ConfirmButton, Dialog } from "../../../parts/dialog.tsx";
import { Form, Select } from "../../../parts/form.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { many } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { CategoryDialog } from "./category-dialog.tsx";
import { ContainerDialog } from "./container-form.tsx";
import {
  useContainers,
  useEnvironment,
  type ContainerCategory,
  type DocumentContainer,
  type Environment,
} from "./use-containers.ts";

type Asked = "container" | "category" | undefined;

/** Where the documents of a set are put: containers, under headings. */
export function ContainerList(): ReactNode {
  const { set, maySet } = useSet();
  const [asked, setAsked] = useState<Asked>();
  const environment = useEnvironment();
  const close = (): void => setAsked(undefined);
  return (
    <SetPage
      title="Containers"
      intro="What the documents of this problem set are about, so that they are found: a document may be in several."
      acts={
        <>
          <Link to={`/workspace/${set.id}/documents`}>All documents</Link>
          {maySet("environment:shape") && (
            <>
              <button type="button" onClick={() => setAsked("category")}>
                Add a category
              </button>
              <button type="button" className="primary" onClick={() => setAsked("container")}>
                Add a container
              </button>
            </>
          )}
        </>
      }
    >
      <Shown of={environment}>
        {({ data }) => (
          <>
            <UnderCategories environment={data} />
            <Unorganized environment={data} />
            {asked === "container" && <ContainerDialog categories={data.categories} onClose={close} />}
          </>
        )}
      </Shown>
      {asked === "category" && <CategoryDialog onClose={close} />}
    </SetPage>
  );
}

function UnderCategories({ environment: { categories } }: { environment: Environment }): ReactNode {
  const containers = useContainers();
  return (
    <Shown of={containers}>
      {({ data }) => {
        const under = Map.groupBy(data, ({ categoryId }) => categoryId);
        const loose = under.get(undefined) ?? [];
        return (
          <>
            {categories.map((category) => (
              <Section
                key={category.id}
                title={category.name}
                acts={<CategoryActs category={category} others={categories.filter(({ id }) => id !== category.id)} />}
              >
                {category.description && <p className="muted">{category.description}</p>}
                <Containers rows={under.get(category.id) ?? []} categories={categories} label={category.name} />
              </Section>
            ))}
            {(loose.length > 0 || !categories.length) && (
              <Section title={categories.length ? "Without a category" : "Containers"}>
                <Containers rows={loose} categories={categories} label="Containers without a category" />
              </Section>
            )}
          </>
        );
      }}
    </Shown>
  );
}

interface ContainersProps {
  rows: readonly DocumentContainer[];
  categories: readonly ContainerCategory[];
  label: string;
}

function Containers({ rows, categories, label }: ContainersProps): ReactNode {
  const { maySet } = useSet();
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ id }) => id}
      columns={maySet("environment:shape") ? [...COLUMNS, actsAmong(categories)] : COLUMNS}
      empty="There is none yet. A container says what its documents are about: logistics, say, or weather."
    />
  );
}

const COLUMNS: readonly Column<DocumentContainer>[] = [
  {
    head: "Container",
    cell: ({ problemSetId, id, name, description }) => (
      <>
        <Link to={`/workspace/${problemSetId}/containers/${id}`}>{name}</Link>
        {description && <small className="muted under">{description}</small>}
      </>
    ),
  },
  { head: "Documents", isFigure: true, cell: ({ documents }) => documents },
];

const actsAmong = (categories: readonly ContainerCategory[]): Column<DocumentContainer> => ({
  head: "Acts",
  isAct: true,
  cell: (container) => <ContainerActs container={container} categories={categories} />,
});

function ContainerActs({
  container,
  categories,
}: {
  container: DocumentContainer;
  categories: readonly ContainerCategory[];
}): ReactNode {
  const [isChanging, setChanging] = useState(false);
  const { id, name } = container;
  const remove = useAct("DELETE /strategic/containers/{containerId}", { says: `${name} is removed.` });
  return (
    <span className="row">
      <button type="button" aria-label={`Change ${name}`} onClick={() => setChanging(true)}>
        Change
      </button>
      <ConfirmButton
        words="Remove"
        label={`Remove ${name}`}
        className="danger"
        title={`Remove ${name}?`}
        run={() => remove.mutateAsync({ path: { containerId: id } })}
      >
        <p>Its documents stay. Those that are in no other container are in none then.</p>
      </ConfirmButton>
      {isChanging && <ContainerDialog of={container} categories={categories} onClose={() => setChanging(false)} />}
    </span>
  );
}

interface CategoryActsProps {
  category: ContainerCategory;
  others: readonly ContainerCategory[];
}

/** Containers under it go to another category; where there is none, they are put under none first, one by one. */
function CategoryActs({ category, others }: CategoryActsProps): ReactNode {
  const { id, name, containers } = category;
  const [isChanging, setChanging] = useState(false);
  const { maySet } = useSet();
  const [isRemoving, setRemoving] = useState(false);
  const remove = useAct("DELETE /strategic/categories/{categoryId}", {
    tellsRefusal: false,
    says: `The category ${name} is removed.`,
  });
  if (!maySet("environment:shape")) return null;
  const isStuck = containers > 0 && !others.length;
  return (
    <>
      <button type="button" aria-label={`Change the category ${name}`} onClick={() => setChanging(true)}>
        Change the category
      </button>
      <button type="button" aria-label={`Remove the category ${name}`} onClick={() => setRemoving(true)}>
        Remove the category
      </button>
      {isChanging && <CategoryDialog of={category} onClose={() => setChanging(false)} />}
      {isRemoving && (
        <Dialog title={`Remove the category ${name}?`} onClose={() => setRemoving(false)}>
          {isStuck ? (
            <p>
              {many(containers, "container stands", "containers stand")} under it, and there is no other category.
              Change each of them to stand under none, or add a category for them.
            </p>
          ) : (
            <Form
              act="Remove it"
              onSubmit={({ moveTo }) =>
                remove.mutateAsync({ path: { categoryId: id }, ...(moveTo && { query: { moveTo } }) })
              }
            >
              {containers > 0 ? (
                <Select
                  label="Its containers then stand under"
                  name="moveTo"
                  options={others.map((one) => [one.id, one.name] as const)}
                />
              ) : (
                <p>No container stands under it.</p>
              )}
            </Form>
          )}
        </Dialog>
      )}
    </>
  );
}

function Unorganized({ environment: { problemSetId, unorganized } }: { environment: Environment }): ReactNode {
  if (!unorganized) return <Empty>Every document that you see is in a container.</Empty>;
  return (
    <p>
      {many(unorganized, "document is", "documents are")} in no container:{" "}
      <Link to={`/workspace/${problemSetId}/containers/none`}>see them</Link>.
    </p>
  );
}
