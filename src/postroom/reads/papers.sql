-- name: papers_today
-- The newest version of each, and which paper has taken its place by now.
SELECT DISTINCT ON (d.name) d.name, d.id, d.is_current, d.audience, d.valid_until,
       (SELECT min(n.name) FROM postroom.evidence_replacement r JOIN postroom.evidence_document n ON n.id = r.newer
         WHERE r.tenant_id = d.tenant_id AND r.older = d.id AND r.effective_from <= %(today)s AND n.is_current AND n.audience = 'public'
           AND (n.valid_until IS NULL OR n.valid_until >= %(today)s)) AS replaced_by
  FROM postroom.evidence_document d
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.name = ANY (%(names)s)
 ORDER BY d.name, d.version DESC;

-- name: lines_of_papers
-- What is searched: there is none of a version that was replaced or retired, and none of what is internal.
SELECT s.document_id, l.line ->> 'raw' AS raw, (l.line -> 'period' ->> 'last')::date AS last
  FROM postroom.evidence_snippet s CROSS JOIN LATERAL jsonb_array_elements(s.lines) AS l (line)
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.document_id = ANY (%(documents)s);

-- name: quotations
SELECT q.revision_id, q.name, q.quote, q.statement FROM postroom.draft_quotation q
 WHERE q.tenant_id = (SELECT postroom.tenant()) AND q.revision_id = ANY (%(drafts)s)
 ORDER BY q.revision_id, q.number;
