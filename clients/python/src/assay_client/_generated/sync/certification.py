# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Literal


from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.certification import (
    CertificationDryRun,
    CertificationListedDecision,
    CertificationPolicy,
    CertificationPolicyDifference,
    CertificationPolicyInput,
    CertificationReport,
    CertificationReportAnswer,
    ListCertificationKeysAnswer,
    SavedCertificationPolicy,
    SigningKey,
)
from ..types.shared import (
    Export,
    TargetProfileId,
)


class CertificationOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list_policies(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[SavedCertificationPolicy]:
        """List the versions of a project’s certification policy, newest first.

        Versions are immutable. Until one is saved, the default policy of the project’s target
        profile applies; it has no version.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("list_certification_policies", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    def create_policy(
        self,
        *,
        project_id: str,
        body: CertificationPolicyInput,
        options: CallOptions | None = None,
    ) -> SavedCertificationPolicy:
        """Save a new version of a project’s certification policy.

        The service assigns the next version number; concurrent saves get different versions. The
        policy hash is recorded in the audit log.

        Requires the role `reviewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("create_certification_policy", {"project_id": project_id, "body": body}, options, whole_body=True)

    def get_default_policy(
        self,
        *,
        project_id: str,
        target: TargetProfileId | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CertificationPolicy:
        """Get the default policy of a training target.

        Applies to a project until a policy is saved. It has no version, and can be sent as a new
        policy once changed.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_default_certification_policy", {"project_id": project_id, "target": target}, options)

    def get_policy(
        self,
        *,
        project_id: str,
        policy_version: int,
        options: CallOptions | None = None,
    ) -> SavedCertificationPolicy:
        """Get one version of a project’s certification policy.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_certification_policy", {"project_id": project_id, "policy_version": policy_version}, options)

    def diff_policies(
        self,
        *,
        project_id: str,
        from_: int | Omitted = OMITTED,
        to: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CertificationPolicyDifference:
        """Compare two versions of a project’s certification policy.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("diff_certification_policies", {"project_id": project_id, "from": from_, "to": to}, options)

    def dry_run_policy(
        self,
        *,
        project_id: str,
        body: CertificationPolicyInput,
        options: CallOptions | None = None,
    ) -> CertificationDryRun:
        """Preview the effect of a policy without saving it.

        Evaluates the project’s episodes under the current policy and under the policy sent.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("dry_run_certification_policy", {"project_id": project_id, "body": body}, options, whole_body=True)

    def get_report(
        self,
        *,
        project_id: str,
        policy_version: int | Omitted = OMITTED,
        detail: Literal["full", "summary"] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CertificationReportAnswer:
        """Get a project’s current certification report.

        The same evidence and policy always give the same bytes; the `ETag` is a hash of both. For
        projects with too many episodes to certify within one request, returns the report of the
        bundle created by `POST …/export`. `detail=summary` leaves out the decisions and episodes;
        page through the decisions with `GET …/report/decisions`.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("get_certification_report", {"project_id": project_id, "policy_version": policy_version, "detail": detail}, options)

    def list_decisions(
        self,
        *,
        project_id: str,
        policy_version: int | Omitted = OMITTED,
        metric: Literal["format.loadable", "timeline.monotonic", "timeline.gap_ratio", "timeline.jitter", "sync.overlap", "sync.content_lag", "kinematics.violations", "kinematics.frozen_ratio", "action.saturation", "gripper.convention", "calibration.drift", "camera.coverage", "camera.frozen_frames", "image.decodable", "image.blur", "image.exposure", "image.duplicates", "stereo.reprojection", "language.instruction_present", "language.caption_coverage", "language.caption_boundaries", "language.caption_video_agreement", "annotation.coverage", "split.leakage"] | Omitted = OMITTED,
        verdict: Literal["certified", "review_required", "not_ready", "not_assessable"] | Omitted = OMITTED,
        episode: str | Omitted = OMITTED,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[CertificationListedDecision]:
        """List the decisions of a project’s current certification report.

        By metric in the order of the report, then by episode. A cursor is valid only as long as the
        report is unchanged.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("list_certification_decisions", {"project_id": project_id, "policy_version": policy_version, "metric": metric, "verdict": verdict, "episode": episode, "limit": limit, "cursor": cursor}, options)

    def export(
        self,
        *,
        project_id: str,
        policy_version: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Export:
        """Export a signed bundle with report, policy and receipts.

        The bundle is created in the background, signed with the tenant’s key, and listed among the
        project’s exports. Download it with `GET …/exports/{export_id}/download?as=zip` and check it
        with `assay verify`. It contains no media. Repeating the request for the same evidence and
        policy returns the existing bundle. If no policy has been saved, the default policy is saved
        as a new version.

        Requires the role `reviewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("export_certification", {"project_id": project_id, "policy_version": policy_version}, options)

    def import_report(
        self,
        *,
        project_id: str,
        body: CertificationReport,
        options: CallOptions | None = None,
    ) -> Export:
        """Import a locally created report as a signed bundle.

        Accepts the `report.json` written by `assay certify --project`. Its project id must match,
        its policy must be a saved version of this project, and its content hash must be valid.
        Verdicts, coverage and all other values that follow from its decisions and the policy are
        recomputed; the first one that differs is answered with 422 and its JSON pointer. The
        bundle’s manifest has the origin `local_report_import`, because this service did not measure
        the data: it contains no receipts, and its page says that it was imported.

        Requires the role `admin` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("import_certification_report", {"project_id": project_id, "body": body}, options, whole_body=True)

    def list_keys(
        self,
        *, options: CallOptions | None = None,
    ) -> ListCertificationKeysAnswer:
        """List the tenant’s public signing keys, current and former.

        Requires the role `viewer` or higher.
        """
        return self._calls.call("list_certification_keys", {}, options)

    def rotate_key(
        self,
        *, options: CallOptions | None = None,
    ) -> SigningKey:
        """Rotate the tenant’s signing key.

        The old private key is destroyed. Its public key stays listed, so existing bundles can still
        be verified.

        Requires the role `admin` or higher.
        """
        return self._calls.call("rotate_certification_key", {}, options)
