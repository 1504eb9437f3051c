import './page-skeleton.css';

/** What kind of page it is, for the placeholder before its script or its data is there. */
export type PageShape = 'list' | 'form' | 'settings' | 'dashboard' | 'panes';

/** Number of bars in each block of a shape; page-skeleton.css lays the blocks out as on the page. */
const BLOCKS: Readonly<Record<PageShape, readonly number[]>> = {
  list: [6, 84],
  form: [12, 8, 6],
  settings: [16, 24],
  dashboard: [8, 6, ...Array.from({ length: 12 }, () => 2), 9, 6],
  panes: [8, 6, 6],
};

interface Props {
  shape: PageShape;
  /** Title of the page, at its final place; omitted if the page already has its heading. */
  title?: string | undefined;
}

/** Placeholder in the shape of a page, so that nothing jumps when the page replaces it. */
export function PageSkeleton({ shape, title }: Props) {
  return (
    <div className="ht-page-skeleton" data-shape={shape} role="status" aria-busy="true" aria-label="加载中">
      {title !== undefined && <p aria-hidden>{title}</p>}
      <div>
        {BLOCKS[shape].map((bars, block) => (
          // The blocks and bars never change.
          // oxlint-disable-next-line react/no-array-index-key
          <section key={block}>
            {Array.from({ length: bars }, (_, bar) => (
              <i key={bar} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}
