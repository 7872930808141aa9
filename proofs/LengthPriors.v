(* Priors of observations: spec/length.md.  c: the counts of the ranks, or of the lengths. *)
Require Import Reals Lra Lia List Permutation Psatz.
From Rankspec Require Import Numbers Gain Length LengthIdeals.
Import ListNotations.
Open Scope R_scope.

(** * Clicks *)

(** The mean of c(a), ..., c(b) *)
Definition mean_count (c : nat -> R) a b := (sum_to c b - sum_to c (a - 1)) / INR (b - a + 1).
(** The greatest, and the least, of f(a), ..., f(b) *)
Fixpoint greatest (f : nat -> R) a n := match n with O => f a | S k => Rmax (greatest f a k)
  (f (a + S k)%nat) end.
Fixpoint least (f : nat -> R) a n := match n with O => f a | S k => Rmin (least f a k)
  (f (a + S k)%nat) end.
Definition max_from f a b := greatest f a (b - a).
Definition min_from f a b := least f a (b - a).
(** RS-LEN-19: the least, a <= i, of the greatest mean of the counts from a to b >= i, over their
    sum *)
Definition pooled c M i := min_from (fun a => max_from (mean_count c a) i M) 1 i.
Definition prior_of_clicks c M i := pooled c M i / sum_to c M.

Lemma greatest_ge f a n i : (a <= i <= a + n)%nat -> f i <= greatest f a n.
Proof.
  induction n as [|n IH]; intros I; cbn; [replace i with a by lia; lra|].
  destruct (Nat.eq_dec i (a + S n)) as [->|]; [apply Rmax_r|].
  eapply Rle_trans; [apply IH; lia|apply Rmax_l].
Qed.
Lemma greatest_le f a n x : (forall i, (a <= i <= a + n)%nat -> f i <= x) -> greatest f a n <= x.
Proof.
  induction n as [|n IH]; intros H; cbn; [apply H; lia|]; apply Rmax_lub; [apply IH|]; intros;
  apply H; lia.
Qed.
Lemma least_le f a n i : (a <= i <= a + n)%nat -> least f a n <= f i.
Proof.
  induction n as [|n IH]; intros I; cbn; [replace i with a by lia; lra|].
  destruct (Nat.eq_dec i (a + S n)) as [->|]; [apply Rmin_r|].
  eapply Rle_trans; [apply Rmin_l|apply IH; lia].
Qed.
Lemma least_ge f a n x : (forall i, (a <= i <= a + n)%nat -> x <= f i) -> x <= least f a n.
Proof.
  induction n as [|n IH]; intros H; cbn; [apply H; lia|]; apply Rmin_glb; [apply IH|]; intros;
  apply H; lia.
Qed.

(** q pools c: it falls, its sums are nowhere below those of c, and equal to them where it falls and
    at the end. *)
Definition pools c M (q : nat -> R) :=
  (forall i, (1 <= i < M)%nat -> q (S i) <= q i) /\
  (forall i, (i <= M)%nat -> sum_to c i <= sum_to q i) /\ sum_to c M = sum_to q M /\
  (forall i, (1 <= i < M)%nat -> q (S i) < q i -> sum_to c i = sum_to q i).

Lemma pools_falls c M q i j : pools c M q -> (1 <= i <= j)%nat -> (j <= M)%nat -> q j <= q i.
Proof.
  intros (F & _) [I L] J; induction L as [|j L IH]; [lra|]; eapply Rle_trans; [apply F; lia|].
  apply IH; lia.
Qed.
Definition tight (c q : nat -> R) i := sum_to c i = sum_to q i.
(** Each rank is between two ranks where the sums are equal, and where q is constant. *)
Lemma tight_after c M q i : pools c M q -> (1 <= i <= M)%nat ->
  exists e, (i <= e <= M)%nat /\ tight c q e /\ q e = q i.
Proof.
  intros H I; pose proof H as (F & U & E & T); remember (M - i)%nat as k eqn:K.
  revert i I K; induction k as [|k IH]; intros i I K.
  - exists i; repeat split; try lia; replace i with M by lia; exact E.
  - destruct (Rlt_dec (q (S i)) (q i)) as [L|L]; [exists i; repeat split; try lia; apply T; lia ||
    lra|].
    destruct (IH (S i) ltac:(lia) ltac:(lia)) as (e & E1 & E2 & E3).
    exists e; repeat split; try lia; try assumption; pose proof (F i ltac:(lia)); lra.
Qed.
Lemma tight_before c M q i : pools c M q -> (1 <= i <= M)%nat ->
  exists s, (1 <= s <= i)%nat /\ tight c q (s - 1) /\ q s = q i.
Proof.
  intros (F & U & E & T) [I L]; induction I as [|i I IH]; [exists 1%nat; repeat split; lia|].
  destruct (Rlt_dec (q (S i)) (q i)) as [D|D].
  - exists (S i); repeat split; try lia; replace (S i - 1)%nat with i by lia; apply T; lia || lra.
  - destruct (IH ltac:(lia)) as (s & S1 & S2 & S3); exists s; repeat split; try lia; try assumption.
    pose proof (F i ltac:(lia)); lra.
Qed.
Lemma sum_bounds q a b x : (a <= b)%nat ->
  ((forall i, (a < i <= b)%nat -> x <= q i) -> x * INR (b - a) <= sum_to q b - sum_to q a) /\
  ((forall i, (a < i <= b)%nat -> q i <= x) -> sum_to q b - sum_to q a <= x * INR (b - a)).
Proof.
  intros L; rewrite (split_sum q a b L).
  replace (sum_to q a + sum_to (shift a q) (b - a) - sum_to q a) with (sum_to (shift a q) (b - a))
    by ring; rewrite Rmult_comm, <- sum_to_const.
  split; intros H; apply sum_to_le; intros i I; apply H; lia.
Qed.
(** What pools c is the definition's least of the greatest means. *)
Lemma pools_is_pooled c M q i : pools c M q -> (1 <= i <= M)%nat -> pooled c M i = q i.
Proof.
  intros H I; pose proof H as (F & U & _ & _); unfold pooled, min_from, max_from; apply Rle_antisym.
  - destruct (tight_before c M q i H I) as (s & S1 & S2 & S3).
    eapply Rle_trans; [apply (least_le _ 1 (i - 1) s); lia|]; cbn beta.
    apply greatest_le; intros b B; unfold mean_count; rewrite S2.
    assert (0 < INR (b - s + 1)) by (apply lt_0_INR; lia); apply div_le; [assumption|].
    pose proof (U b ltac:(lia)); pose proof (proj2 (sum_bounds q (s - 1) b (q i) ltac:(lia))) as X.
    replace (b - (s - 1))%nat with (b - s + 1)%nat in X by lia.
    enough (sum_to q b - sum_to q (s - 1) <= q i * INR (b - s + 1)) by lra; apply X.
    intros j J; rewrite <- S3; apply (pools_falls c M); assumption || lia.
  - apply least_ge; intros a A; destruct (tight_after c M q i H I) as (e & E1 & E2 & E3).
    eapply Rle_trans; [|apply (greatest_ge _ i (M - i) e); lia]; unfold mean_count; rewrite E2.
    assert (0 < INR (e - a + 1)) by (apply lt_0_INR; lia); apply le_div; [assumption|].
    pose proof (U (a - 1)%nat ltac:(lia)).
    pose proof (proj1 (sum_bounds q (a - 1) e (q i) ltac:(lia))) as X.
    replace (e - (a - 1))%nat with (e - a + 1)%nat in X by lia.
    enough (q i * INR (e - a + 1) <= sum_to q e - sum_to q (a - 1)) by lra; apply X.
    intros j J; rewrite <- E3; apply (pools_falls c M); assumption || lia.
Qed.
Lemma greatest_mean c M : (1 <= M)%nat -> exists e, (1 <= e <= M)%nat /\
  forall b, (1 <= b <= M)%nat -> sum_to c b * INR e <= sum_to c e * INR b.
Proof.
  induction M as [|M IH]; intros L; [lia|]; destruct (Nat.eq_dec M 0) as [->|N].
  { exists 1%nat; split; [lia|]; intros b B; replace b with 1%nat by lia; lra. }
  destruct (IH ltac:(lia)) as (e & E1 & E2); pose proof (lt_0_INR e ltac:(lia)).
  pose proof (lt_0_INR (S M) ltac:(lia)).
  destruct (Rle_dec (sum_to c (S M) * INR e) (sum_to c e * INR (S M))) as [D|D].
  - exists e; split; [lia|]; intros b B; destruct (Nat.eq_dec b (S M)) as [->|]; [exact D|apply E2;
    lia].
  - exists (S M); split; [lia|]; intros b B; destruct (Nat.eq_dec b (S M)) as [->|]; [lra|].
    specialize (E2 b ltac:(lia)); pose proof (lt_0_INR b ltac:(lia)); apply Rnot_le_lt in D.
    apply (Rmult_le_reg_r (INR e)); [assumption|].
    apply Rle_trans with (sum_to c e * INR b * INR (S M)); [nra|].
    apply Rlt_le in D; apply (Rmult_le_compat_r (INR b)) in D; [|lra]; lra.
Qed.
(** Something pools c: first the greatest mean from rank 1 on, then what pools the rest. *)
Lemma pools_some c M : exists q, pools c M q.
Proof.
  revert c; induction M as [M IH] using (well_founded_induction Wf_nat.lt_wf); intros c.
  destruct (Nat.eq_dec M 0) as [->|N].
  { exists c; repeat split; intros; lia || lra. }
  destruct (greatest_mean c M ltac:(lia)) as (e & E1 & E2).
  destruct (IH (M - e)%nat ltac:(lia) (shift e c)) as (q & Q); pose proof Q as (F & U & E & T).
  pose proof (lt_0_INR e ltac:(lia)) as Pe; set (x := sum_to c e / INR e).
  set (h := fun i => if (i <=? e)%nat then x else q (i - e)%nat).
  assert (forall i, (i <= e)%nat -> sum_to h i = INR i * x) as H1.
  { intros i I; rewrite <- sum_to_const; apply sum_to_ext; intros j J; unfold h.
    destruct (Nat.leb_spec j e); [reflexivity|lia]. }
  assert (sum_to h e = sum_to c e) as HE by (rewrite H1 by lia; unfold x; field; lra).
  assert (forall i, sum_to h (e + i) = sum_to c e + sum_to q i) as H2.
  { intros i; rewrite sum_to_split, HE; f_equal; apply sum_to_ext; intros j J; unfold shift, h.
    destruct (Nat.leb_spec (e + j) e); [lia|]; f_equal; lia. }
  assert (forall i, sum_to c (e + i) = sum_to c e + sum_to (shift e c) i) as H3 by
    (intros; apply sum_to_split).
  exists h; split; [|split; [|split]].
  - intros i I; unfold h; destruct (Nat.leb_spec (S i) e), (Nat.leb_spec i e); try lia; try lra.
    + replace (S i - e)%nat with 1%nat by lia; replace i with e in * by lia.
      destruct (tight_after _ _ q 1 Q ltac:(lia)) as (b & B1 & B2 & <-).
      pose proof (lt_0_INR b ltac:(lia)) as Pb.
      pose proof (proj1 (sum_bounds q 0 b (q b) ltac:(lia))) as X; cbn [sum_to] in X.
      rewrite Nat.sub_0_r in X; unfold tight in B2; rewrite <- B2 in X.
      specialize (E2 (e + b)%nat ltac:(lia)); rewrite H3, plus_INR in E2; apply le_div;
        [assumption|].
      assert (q b * INR b <= sum_to (shift e c) b) as Y by
        (enough (q b * INR b <= sum_to (shift e c) b - 0) by lra; apply X; intros j J;
         apply (pools_falls _ _ _ _ _ Q); lia).
      apply (Rmult_le_reg_r (INR b)); [assumption|].
      apply (Rmult_le_compat_r (INR e)) in Y; [|lra]; lra.
    + replace (S i - e)%nat with (S (i - e)) by lia; apply F; lia.
  - intros i I; destruct (Nat.le_gt_cases i e) as [L|L].
    + rewrite H1 by assumption; destruct (Nat.eq_dec i 0) as [->|]; [cbn; lra|].
      specialize (E2 i ltac:(lia)); unfold x; apply (Rmult_le_reg_r (INR e)); [assumption|].
      replace (INR i * (sum_to c e / INR e) * INR e) with (sum_to c e * INR i) by (field; lra);
        exact E2.
    + replace i with (e + (i - e))%nat by lia; rewrite H2, H3; pose proof (U (i - e)%nat
      ltac:(lia)); lra.
  - replace M with (e + (M - e))%nat by lia; rewrite H2, H3, E; reflexivity.
  - intros i I D; destruct (Nat.le_gt_cases i e) as [L|L].
    + destruct (Nat.eq_dec i e) as [->|]; [symmetry; exact HE|exfalso; unfold h in D].
      destruct (Nat.leb_spec (S i) e), (Nat.leb_spec i e); try lia; lra.
    + replace i with (e + (i - e))%nat by lia; rewrite H2, H3; f_equal; apply T; [lia|].
      unfold h in D; destruct (Nat.leb_spec (S i) e), (Nat.leb_spec i e); try lia.
      replace (S i - e)%nat with (S (i - e)) in D by lia; exact D.
Qed.
(** So the definition pools c. *)
Lemma pooled_pools c M : pools c M (pooled c M).
Proof.
  destruct (pools_some c M) as (q & Q); pose proof Q as (F & U & E & T).
  assert (forall i, (1 <= i <= M)%nat -> pooled c M i = q i) as X by
    (intros; apply pools_is_pooled; assumption).
  assert (forall n, (n <= M)%nat -> sum_to (pooled c M) n = sum_to q n) as Y by
    (intros; apply sum_to_ext; intros; apply X; lia).
  repeat split.
  - intros i I; rewrite !X by lia; apply F; assumption.
  - intros i I; rewrite Y by assumption; apply U; assumption.
  - rewrite Y by lia; exact E.
  - intros i I D; rewrite Y by lia; rewrite !X in D by lia; apply T; assumption.
Qed.
Lemma pooled_nonneg c M i : nonneg c -> (1 <= i <= M)%nat -> 0 <= pooled c M i.
Proof.
  intros N I; apply least_ge; intros a A; unfold max_from.
  eapply Rle_trans; [|apply (greatest_ge _ i (M - i) i); lia].
  apply div_nonneg; [|apply lt_0_INR; lia]; rewrite (split_sum c (a - 1) i) by lia.
  enough (0 <= sum_to (shift (a - 1) c) (i - (a - 1))) by lra; apply sum_to_nonneg; intros j J.
  apply N; lia.
Qed.
(** RS-LEN-19/L1: p(i) >= p(i + 1) >= 0, and their sum is 1 *)
Theorem LEN_19_L1 c M : nonneg c -> 0 < sum_to c M -> let p := prior_of_clicks c M in
  (forall i, (1 <= i < M)%nat -> 0 <= p (S i) <= p i) /\ sum_to p M = 1.
Proof.
  intros N P p; pose proof (pooled_pools c M) as (F & _ & E & _); split.
  - intros i I; unfold p, prior_of_clicks; split; [apply div_nonneg; [apply pooled_nonneg; auto;
    lia|
    assumption]|]; apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
    apply F; assumption.
  - unfold p, prior_of_clicks; rewrite (sum_to_ext _ (fun i => / sum_to c M * pooled c M i)),
      sum_to_scale, <- E by (intros; unfold Rdiv; ring); field; lra.
Qed.
(** RS-LEN-19/L3: where the counts do not rise, p(i) = c(i) / (c(1) + ... + c(M)) *)
Theorem LEN_19_L3 c M i : (forall j, (1 <= j < M)%nat -> c (S j) <= c j) -> (1 <= i <= M)%nat ->
  prior_of_clicks c M i = c i / sum_to c M.
Proof.
  intros F I; unfold prior_of_clicks; rewrite (pools_is_pooled c M c i); [reflexivity| |assumption].
  repeat split; auto; intros; lra.
Qed.
Lemma mean_count_scale x c a b : mean_count (fun i => x * c i) a b = x * mean_count c a b.
Proof. unfold mean_count; rewrite !sum_to_scale; unfold Rdiv; ring. Qed.
(** RS-LEN-19/L5: multiplying all counts by one number above 0 changes nothing *)
Theorem LEN_19_L5 x c M i : 0 < x -> (1 <= i <= M)%nat -> 0 < sum_to c M ->
  prior_of_clicks (fun j => x * c j) M i = prior_of_clicks c M i.
Proof.
  intros X I P; unfold prior_of_clicks; rewrite sum_to_scale.
  rewrite (pools_is_pooled _ M (fun j => x * pooled c M j) i); [field; lra| |assumption].
  pose proof (pooled_pools c M) as (F & U & E & T); unfold pools; rewrite !sum_to_scale.
  repeat split; [intros j J; apply Rmult_le_compat_l; [lra|apply F; assumption]|..].
  - intros j J; rewrite !sum_to_scale; apply Rmult_le_compat_l; [lra|apply U; assumption].
  - rewrite E; reflexivity.
  - intros j J D; rewrite !sum_to_scale; f_equal; apply T; [assumption|].
    apply (Rmult_lt_reg_l x); assumption.
Qed.
(** RS-LEN-19/L6: further ranks with the count 0 get p(i) = 0, and change no other *)
Theorem LEN_19_L6 c M k i : nonneg c -> (forall j, (M < j)%nat -> c j = 0) -> (1 <= i <= M + k)%nat
  ->
  prior_of_clicks c (M + k) i = if (i <=? M)%nat then prior_of_clicks c M i else 0.
Proof.
  intros N Z I; unfold prior_of_clicks; rewrite (sum_to_beyond c M (M + k)) by (assumption || lia).
  set (q := fun i => if (i <=? M)%nat then pooled c M i else 0).
  assert (forall n, sum_to q n = sum_to (pooled c M) (Nat.min n M)) as Q.
  { intros n; rewrite <- (sum_to_min q M n) by
      (intros j J; unfold q; destruct (Nat.leb_spec j M); [lia|reflexivity]).
    apply sum_to_ext; intros j J; unfold q; destruct (Nat.leb_spec j M); [reflexivity|lia]. }
  assert (forall n, sum_to c n = sum_to c (Nat.min n M)) as C by
    (intros n; symmetry; apply sum_to_min; assumption).
  rewrite (pools_is_pooled c (M + k) q i); [unfold q; destruct (i <=? M)%nat; [reflexivity|
    unfold Rdiv; ring]| |assumption].
  pose proof (pooled_pools c M) as (F & U & E & T); repeat split.
  - intros j J; unfold q; destruct (Nat.leb_spec (S j) M), (Nat.leb_spec j M); try lia; try lra;
    [apply F; lia|apply pooled_nonneg; [assumption|lia]].
  - intros j J; rewrite Q, C; apply U; lia.
  - rewrite Q, C, Nat.min_r by lia; exact E.
  - intros j J D; rewrite Q, C; unfold q in D.
    destruct (Nat.leb_spec (S j) M), (Nat.leb_spec j M); try lia; try lra.
    + rewrite Nat.min_l by lia; apply T; [lia|exact D].
    + replace (Nat.min j M) with M by lia; exact E.
Qed.
(** RS-LEN-19/L4: the sums of p are a concave sequence that begins at 0 and is nowhere below those
    of the counts ... *)
Theorem LEN_19_L4 c M : nonneg c -> 0 < sum_to c M -> let P := sum_to (prior_of_clicks c M) in
  P 0%nat = 0 /\ (forall j, (1 <= j < M)%nat -> P (S j) - P j <= P j - P (j - 1)%nat) /\
  forall i, (i <= M)%nat -> sum_to c i / sum_to c M <= P i.
Proof.
  intros N P Q; split; [reflexivity|]; split.
  { intros [|j] J; [lia|]; replace (S j - 1)%nat with j by lia; unfold Q; cbn [sum_to].
    pose proof (proj1 (LEN_19_L1 c M N P) (S j) J); lra. }
  intros i I; unfold Q; pose proof (pooled_pools c M) as (_ & U & _).
  rewrite (sum_to_ext (prior_of_clicks c M) (fun i => / sum_to c M * pooled c M i)), sum_to_scale by
    (intros; unfold prior_of_clicks, Rdiv; ring); unfold Rdiv; rewrite Rmult_comm.
  apply Rmult_le_compat_l; [apply Rlt_le, Rinv_0_lt_compat; assumption|apply U; assumption].
Qed.
(** A sum of terms that fall, which is not negative at both ends, is nowhere negative between. *)
Lemma concave_between f s e i : (s <= i <= e)%nat ->
  (forall j k, (s < j <= k)%nat -> (k <= e)%nat -> f k <= f j) ->
  0 <= sum_to f s -> 0 <= sum_to f e -> 0 <= sum_to f i.
Proof.
  intros I F S E; destruct (Nat.eq_dec i s) as [->|N]; [assumption|].
  destruct (Rle_dec 0 (f i)) as [A|A].
  - pose proof (proj1 (sum_bounds f s i 0 ltac:(lia))) as X; rewrite Rmult_0_l in X.
    enough (0 <= sum_to f i - sum_to f s) by lra; apply X; intros j J.
    apply Rle_trans with (f i); [assumption|apply F; lia].
  - pose proof (proj2 (sum_bounds f i e 0 ltac:(lia))) as X; rewrite Rmult_0_l in X.
    enough (sum_to f e - sum_to f i <= 0) by lra; apply X; intros j J.
    apply Rle_trans with (f i); [apply F; lia|lra].
Qed.
(** RS-LEN-19/L4: ... and the least such sequence *)
Theorem LEN_19_L4_least c M F i : 0 < sum_to c M -> F 0%nat = 0 ->
  (forall j, (1 <= j < M)%nat -> F (S j) - F j <= F j - F (j - 1)%nat) ->
  (forall j, (j <= M)%nat -> sum_to c j / sum_to c M <= F j) -> (i <= M)%nat ->
  sum_to (prior_of_clicks c M) i <= F i.
Proof.
  intros P F0 C B I; destruct (Nat.eq_dec i 0) as [->|N]; [cbn; lra|].
  pose proof (pooled_pools c M) as H; set (q := pooled c M) in *; set (T := sum_to c M) in *.
  set (g := fun j => F j - F (j - 1)%nat - q j / T).
  assert (forall n, sum_to (prior_of_clicks c M) n = sum_to q n / T) as SP.
  { intros n; rewrite (sum_to_ext (prior_of_clicks c M) (fun i => / T * q i)),
      sum_to_scale by (intros; unfold prior_of_clicks, Rdiv, q, T; ring); unfold Rdiv; ring. }
  assert (forall n, sum_to g n = F n - sum_to q n / T) as SG.
  { induction n as [|n IH]; [cbn; rewrite F0; field; lra|]; cbn [sum_to]; rewrite IH; unfold g.
    replace (S n - 1)%nat with n by lia; field; lra. }
  destruct (tight_before c M q i H ltac:(lia)) as (s & S1 & S2 & S3).
  destruct (tight_after c M q i H ltac:(lia)) as (e & E1 & E2 & E3).
  rewrite SP; enough (0 <= sum_to g i) by (rewrite SG in *; lra).
  apply (concave_between g (s - 1) e i); [lia| | |].
  - assert (forall j k, (1 <= j <= k)%nat -> (k <= M)%nat -> F k - F (k - 1)%nat <= F j - F (j -
    1)%nat)
      as CF.
    { intros j k [J K] L; induction K as [|k K IH]; [lra|]; eapply Rle_trans; [|apply IH; lia].
      replace (S k - 1)%nat with k by lia; apply C; lia. }
    intros j k J K; unfold g; pose proof (CF j k ltac:(lia) ltac:(lia)).
    assert (forall x, (s <= x <= e)%nat -> q x = q i) as const.
    { intros x X; pose proof (pools_falls c M q s x H ltac:(lia) ltac:(lia)).
      pose proof (pools_falls c M q x e H ltac:(lia) ltac:(lia)); lra. }
    rewrite (const j), (const k) by lia; lra.
  - rewrite SG; unfold tight in S2; rewrite <- S2; specialize (B (s - 1)%nat ltac:(lia)); lra.
  - rewrite SG; unfold tight in E2; rewrite <- E2; specialize (B e ltac:(lia)); lra.
Qed.

(** The likelihood of the counts, q(1)^c(1) ... q(M)^c(M); 0^0 = 1 *)
Fixpoint product_to (f : nat -> R) n := match n with O => 1 | S m => product_to f m * f (S m) end.
Definition likelihood (c : nat -> nat) M (q : nat -> R) := product_to (fun i => q i ^ c i) M.

Lemma product_positive f n : (forall i, (1 <= i <= n)%nat -> 0 < f i) -> 0 < product_to f n /\
  ln (product_to f n) = sum_to (fun i => ln (f i)) n.
Proof.
  induction n as [|n IH]; intros H; cbn; [split; [lra|apply ln_1]|].
  destruct IH as [A B]; [intros; apply H; lia|]; specialize (H (S n) ltac:(lia)).
  split; [apply Rmult_lt_0_compat; assumption|rewrite ln_mult, B by assumption; reflexivity].
Qed.
Lemma product_zero f n i : (1 <= i <= n)%nat -> f i = 0 -> product_to f n = 0.
Proof.
  intros I E; induction n as [|n IH]; [lia|]; cbn; destruct (Nat.eq_dec i (S n)) as [<-|];
  [rewrite E; ring|rewrite IH by lia; ring].
Qed.
Lemma pooled_positive c M i : nonneg c -> (1 <= i <= M)%nat -> 0 < c i -> 0 < pooled c M i.
Proof.
  intros N I C; pose proof (pooled_pools c M) as H; set (q := pooled c M) in *.
  pose proof (pooled_nonneg c M i N I) as Q; fold q in Q; destruct Q as [|Q]; [assumption|exfalso].
  destruct (tight_before c M q i H I) as (s & S1 & S2 & S3); pose proof H as (_ & _ & E & _).
  pose proof (proj2 (sum_bounds q (s - 1) M 0 ltac:(lia))) as X; rewrite Rmult_0_l in X.
  assert (sum_to q M - sum_to q (s - 1) <= 0) as Y.
  { apply X; intros j J; apply Rle_trans with (q s); [apply (pools_falls c M); assumption ||
    lia|lra]. }
  unfold tight in S2; rewrite <- S2, <- E in Y; rewrite (split_sum c (s - 1) M) in Y by lia.
  enough (0 < sum_to (shift (s - 1) c) (M - (s - 1))) by lra.
  rewrite <- (sum_to_zero (fun _ => 0) (M - (s - 1))) by reflexivity.
  apply (sum_to_lt _ _ _ (i - (s - 1))); [intros j J; apply N; lia|lia|].
  unfold shift; replace (s - 1 + (i - (s - 1)))%nat with i by lia; assumption.
Qed.
Lemma ln_less x : 0 < x -> x <> 1 -> ln x < x - 1.
Proof.
  intros P N; apply exp_lt_inv; rewrite exp_ln by assumption.
  pose proof (exp_ineq1 (x - 1) ltac:(lra)); lra.
Qed.
(** The sum of c(i)/q(i) up to m is at most m, where q pools c. *)
Lemma pooled_quotients c M m : nonneg c -> (m <= M)%nat ->
  sum_to (fun i => c i / pooled c M i - 1) m <= 0.
Proof.
  intros N; pose proof (pooled_pools c M) as H; set (q := pooled c M) in *.
  induction m as [|m IH]; intros L; [cbn; lra|].
  pose proof (pooled_nonneg c M (S m) N ltac:(lia)) as P; fold q in P; destruct P as [P|P].
  - assert (forall i, (1 <= i <= S m)%nat -> 0 < q i) as Q.
    { intros i I; eapply Rlt_le_trans; [exact P|apply (pools_falls c M); assumption || lia]. }
    rewrite (sum_to_ext _ (fun i => (c i - q i) * / q i)) by
      (intros i I; specialize (Q i I); field; lra).
    destruct H as (F & U & _ & T); rewrite by_parts, sum_to_zero.
    + rewrite Rplus_0_l; assert (sum_to (fun i => c i - q i) (S m) <= 0) as X.
      { rewrite (sum_to_ext _ (fun i => c i + -1 * q i)), sum_to_plus, sum_to_scale by
          (intros; ring); pose proof (U (S m) L); lra. }
      assert (0 < / q (S m)) by (apply Rinv_0_lt_compat; assumption); nra.
    + intros i I; rewrite (sum_to_ext _ (fun i => c i + -1 * q i)), sum_to_plus, sum_to_scale by
        (intros; ring); destruct (Rlt_dec (q (S i)) (q i)) as [D|D].
      * rewrite (T i ltac:(lia) D); ring.
      * pose proof (F i ltac:(lia)); replace (q (S i)) with (q i) by lra; ring.
  - cbn [sum_to]; specialize (IH ltac:(lia)); enough (c (S m) = 0) as -> by (unfold Rdiv; lra).
    pose proof (N (S m) ltac:(lia)); destruct (Req_dec (c (S m)) 0); [assumption|].
    pose proof (pooled_positive c M (S m) N ltac:(lia) ltac:(lra)) as X; fold q in X; lra.
Qed.
(** RS-LEN-19/L2: for all other probabilities that do not rise and have the sum 1 the likelihood is
    smaller *)
Theorem LEN_19_L2 (c : nat -> nat) M q : let C := fun i => INR (c i) in
  let p := prior_of_clicks C M in 0 < sum_to C M ->
  (forall i, (1 <= i < M)%nat -> q (S i) <= q i) -> (forall i, (1 <= i <= M)%nat -> 0 <= q i) ->
  sum_to q M = 1 -> (exists i, (1 <= i <= M)%nat /\ q i <> p i) ->
  likelihood c M q < likelihood c M p.
Proof.
  intros C p P F Q SQ (i0 & I0 & D0); assert (nonneg C) as N by (intros i _; apply pos_INR).
  pose proof (pooled_pools C M) as H; set (T := sum_to C M) in *.
  assert (forall i, (1 <= i <= M)%nat -> (1 <= c i)%nat -> 0 < p i) as Pp.
  { intros i I L; apply Rdiv_lt_0_compat; [|assumption]; apply pooled_positive; auto.
    apply lt_0_INR; lia. }
  assert (forall i, (1 <= i <= M)%nat -> 0 < p i ^ c i) as Pt.
  { intros i I; destruct (c i) as [|k] eqn:E; [cbn; lra|]; apply pow_lt, Pp; lia. }
  destruct (product_positive (fun i => p i ^ c i) M Pt) as [LP1 LP2]; fold (likelihood c M p) in *.
  destruct (Nat.eq_dec (length (filter (fun i => if Req_EM_T (q i) 0 then (1 <=? c i)%nat else
    false)
    (seq 1 M))) 0) as [Z|Z].
  2: { destruct (filter _ _) as [|i l] eqn:E in Z; [contradiction|].
       assert (In i (filter (fun i => if Req_EM_T (q i) 0 then (1 <=? c i)%nat else false) (seq 1
         M)))
         as X by (rewrite E; left; reflexivity).
       apply filter_In in X; destruct X as [X Y]; apply in_seq in X.
       destruct (Req_EM_T (q i) 0) as [q0|]; [|discriminate]; apply Nat.leb_le in Y.
       unfold likelihood at 1; rewrite (product_zero _ M i); [assumption|lia|]; rewrite q0.
       apply pow_i; lia. }
  assert (forall i, (1 <= i <= M)%nat -> (1 <= c i)%nat -> 0 < q i) as Pq.
  { intros i I L; destruct (Q i I) as [|q0]; [assumption|exfalso]; apply length_zero_iff_nil in Z.
    assert (In i []) as []; rewrite <- Z; apply filter_In; split; [apply in_seq; lia|].
    destruct (Req_EM_T (q i) 0); [apply Nat.leb_le; assumption|congruence]. }
  assert (forall i, (1 <= i <= M)%nat -> 0 < q i ^ c i) as Qt.
  { intros i I; destruct (c i) as [|k] eqn:E; [cbn; lra|]; apply pow_lt, Pq; lia. }
  destruct (product_positive (fun i => q i ^ c i) M Qt) as [LQ1 LQ2]; fold (likelihood c M q) in *.
  apply ln_lt_inv; [assumption..|]; rewrite LQ2, LP2.
  set (f := fun i => ln (q i ^ c i) - ln (p i ^ c i)); set (g := fun i => C i * (q i / p i - 1)).
  assert (forall i, (1 <= i <= M)%nat -> f i <= g i /\ (f i = g i -> (1 <= c i)%nat -> q i = p i))
    as FG.
  { intros i I; unfold f, g, C; destruct (c i) as [|k] eqn:E; [cbn; split; [lra|lia]|].
    rewrite <- E in *; pose proof (Pp i I ltac:(lia)) as p1; pose proof (Pq i I ltac:(lia)) as q1.
    pose proof (lt_0_INR (c i) ltac:(lia)) as c1; rewrite !ln_pow by assumption.
    assert (INR (c i) * ln (q i) - INR (c i) * ln (p i) = INR (c i) * ln (q i / p i)) as ->.
    { unfold Rdiv; rewrite ln_mult, ln_Rinv by (assumption || apply Rinv_0_lt_compat; assumption).
      ring. }
    assert (0 < q i / p i) as r1 by (apply Rdiv_lt_0_compat; assumption).
    destruct (Req_dec (q i / p i) 1) as [R1|R1].
    - rewrite R1, ln_1; split; [lra|]; intros _ _; apply div_eq in R1; lra.
    - pose proof (ln_less _ r1 R1) as L; split; [apply Rmult_le_compat_l; lra|]; intros X.
      apply Rmult_eq_reg_l in X; lra. }
  assert (sum_to g M <= 0) as G.
  { rewrite (sum_to_ext _ (fun i => T * ((C i / pooled C M i - 1) * q i) + (T * q i - C i))).
    - rewrite sum_to_plus, sum_to_scale.
      assert (sum_to (fun i => T * q i - C i) M = 0) as ->.
      { rewrite (sum_to_ext _ (fun i => T * q i + -1 * C i)), sum_to_plus, !sum_to_scale, SQ by
          (intros; ring); fold T; ring. }
      enough (sum_to (fun i => (C i / pooled C M i - 1) * q i) M <= 0) by nra.
      destruct M as [|m]; [cbn; lra|]; rewrite by_parts.
      assert (forall k, (k <= S m)%nat -> sum_to (fun i => C i / pooled C (S m) i - 1) k <= 0) as B
        by
        (intros; apply pooled_quotients; assumption).
      assert (sum_to (fun i => sum_to (fun j => C j / pooled C (S m) j - 1) i * (q i - q (S i))) m
        <= 0).
      { rewrite <- (sum_to_zero (fun _ => 0) m) by reflexivity; apply sum_to_le; intros i I.
        pose proof (B i ltac:(lia)); pose proof (F i ltac:(lia)); nra. }
      pose proof (B (S m) ltac:(lia)); pose proof (Q (S m) ltac:(lia)); nra.
    - intros i I; unfold g, p, prior_of_clicks; fold T; destruct (Req_dec (pooled C M i) 0) as
      [E|E].
      + assert (C i = 0) as ->; [|unfold Rdiv; ring]; pose proof (N i ltac:(lia)).
        destruct (Req_dec (C i) 0); [assumption|].
        pose proof (pooled_positive C M i N I ltac:(lra)); lra.
      + field; lra. }
  assert (sum_to f M <= sum_to g M) as FL by (apply sum_to_le; intros; apply FG; assumption).
  assert (sum_to (fun i => ln (q i ^ c i)) M - sum_to (fun i => ln (p i ^ c i)) M = sum_to f M) as
    SF.
  { unfold f; rewrite (sum_to_ext (fun i => ln (q i ^ c i) - ln (p i ^ c i))
      (fun i => ln (q i ^ c i) + -1 * ln (p i ^ c i))), sum_to_plus, sum_to_scale by (intros; ring).
    ring. }
  enough (sum_to f M <> sum_to g M) by lra; intros E.
  assert (forall i, (1 <= i <= M)%nat -> p i = q i) as PQ.
  { apply sum_to_le_eq; [|rewrite SQ; apply (LEN_19_L1 C M N P)]; intros i I.
    pose proof (pooled_nonneg C M i N I) as [A|A].
    - destruct (tight_after C M _ i H I) as (e & E1 & E2 & E3).
      assert (pooled C M e <= C e) as CE.
      { destruct H as (_ & U & _); specialize (U (e - 1)%nat ltac:(lia)); unfold tight in E2.
        destruct e as [|e]; [lia|]; replace (S e - 1)%nat with e in U by lia; cbn [sum_to] in E2;
          lra. }
      assert (0 < C e) as CP by lra; assert (1 <= c e)%nat as ce by
        (apply (INR_lt 0) in CP; lia).
      assert (q e = p e) as QE.
      { apply FG; [lia| |assumption]; apply (sum_to_le_eq f g M); [intros; apply FG; assumption|
        exact E|lia]. }
      assert (q e <= q i) as QI.
      { clear - F E1 I; assert (forall k, (i + k <= M)%nat -> q (i + k)%nat <= q i) as X.
        { induction k as [|k IH]; intros L; [rewrite Nat.add_0_r; lra|].
          rewrite Nat.add_succ_r; eapply Rle_trans; [apply F; lia|apply IH; lia]. }
        specialize (X (e - i)%nat ltac:(lia)); replace (i + (e - i))%nat with e in X by lia; exact
          X. }
      apply Rle_trans with (p e); [|lra]; unfold p, prior_of_clicks; rewrite E3; lra.
    - unfold p, prior_of_clicks; rewrite <- A; unfold Rdiv; rewrite Rmult_0_l; apply Q; assumption.
      }
  apply D0; symmetry; apply PQ; assumption.
Qed.

(** * Lengths *)

(** RS-LEN-20: p(i) = (c(i)/i + ... + c(M)/M) / (c(1) + ... + c(M)) *)
Definition prior_of_lengths (c : nat -> R) M i :=
  sum_to (shift (i - 1) (fun n => c n / INR n)) (M - (i - 1)) / sum_to c M.

Lemma lengths_as_difference c M i : (1 <= i <= S M)%nat -> let G := sum_to (fun n => c n / INR n) in
  prior_of_lengths c M i = (G M - G (i - 1)%nat) / sum_to c M.
Proof.
  intros I G; unfold prior_of_lengths; f_equal; unfold G; rewrite (split_sum _ (i - 1) M) by lia;
    ring.
Qed.
(** RS-LEN-20/L3: c(n) = n (p(n) - p(n + 1)) (c(1) + ... + c(M)) with p(M + 1) = 0 ... *)
Theorem LEN_20_L3 c M n : 0 < sum_to c M -> (1 <= n <= M)%nat -> let p := prior_of_lengths c M in
  c n = INR n * (p n - p (S n)) * sum_to c M /\ p (S M) = 0.
Proof.
  intros P I p; unfold p; rewrite !lengths_as_difference by lia; cbn zeta.
  replace (S n - 1)%nat with n by lia; replace (S M - 1)%nat with M by lia.
  destruct n as [|n]; [lia|]; replace (S n - 1)%nat with n by lia; cbn [sum_to].
  pose proof (lt_0_INR (S n) ltac:(lia)); split; field; lra.
Qed.
(** RS-LEN-20/L1: p(i) >= p(i + 1) >= 0, and their sum is 1 *)
Theorem LEN_20_L1 c M : nonneg c -> 0 < sum_to c M -> let p := prior_of_lengths c M in
  (forall i, (1 <= i <= M)%nat -> 0 <= p (S i) <= p i) /\ sum_to p M = 1.
Proof.
  intros N P p; split.
  - intros i I; split.
    + apply div_nonneg; [|assumption]; apply sum_to_nonneg; intros j J; unfold shift.
      apply div_nonneg; [apply N; lia|apply lt_0_INR; lia].
    + destruct (LEN_20_L3 c M i P I) as [E _]; fold p in E; pose proof (N i ltac:(lia)).
      pose proof (lt_0_INR i ltac:(lia)); assert (0 < INR i * sum_to c M) by
        (apply Rmult_lt_0_compat; assumption).
      apply Rnot_lt_le; intros L; assert (INR i * sum_to c M * (p i - p (S i)) < 0) by nra; lra.
  - set (G := sum_to (fun n => c n / INR n)).
    rewrite (sum_to_ext p (fun i => / sum_to c M * (G M - G (i - 1)%nat))), sum_to_scale by
      (intros i I; unfold p; rewrite lengths_as_difference by lia; cbn zeta; fold G; unfold Rdiv;
       ring).
    assert (forall m, sum_to (fun i => G m - G (i - 1)%nat) m = sum_to c m) as X.
    { assert (forall m x, sum_to (fun i => x - G (i - 1)%nat) m =
        INR m * x - sum_to (fun i => G (i - 1)%nat) m) as Y.
      { intros m x; rewrite (sum_to_ext _ (fun i => x + -1 * G (i - 1)%nat)), sum_to_plus,
          sum_to_const, sum_to_scale by (intros; ring); ring. }
      induction m as [|m IH]; [reflexivity|]; rewrite Y in *; cbn [sum_to].
      replace (S m - 1)%nat with m by lia; rewrite <- IH, S_INR; unfold G; cbn [sum_to].
      rewrite S_INR; pose proof (pos_INR m); field; lra. }
    rewrite X; field; lra.
Qed.
(** RS-LEN-20/L2: of lists that all have n results it is 1/n up to n, the prior "uniform" with M = n
    *)
Theorem LEN_20_L2 x n M i : 0 < x -> (1 <= n <= M)%nat -> (1 <= i <= M)%nat ->
  prior_of_lengths (fun j => if (j =? n)%nat then x else 0) M i = prior d_none n i.
Proof.
  intros X N I; set (c := fun j => if (j =? n)%nat then x else 0).
  assert (forall f m, sum_to (fun j => c j / f j) m = if (n <=? m)%nat then x / f n else 0) as S.
  { intros f m; induction m as [|m IH]; cbn [sum_to]; [destruct (Nat.leb_spec n 0);
    [lia|reflexivity]|].
    rewrite IH; unfold c; destruct (Nat.leb_spec n m), (Nat.leb_spec n (S m)),
      (Nat.eqb_spec (S m) n) as [E|]; try lia; unfold Rdiv; try ring; rewrite E; ring. }
  assert (sum_to c M = x) as T.
  { rewrite (sum_to_ext c (fun j => c j / (fun _ => 1) j)), S by (intros; field).
    destruct (Nat.leb_spec n M); [field|lia]. }
  rewrite lengths_as_difference, T by lia; cbn zeta; rewrite !S; unfold prior, d_none.
  rewrite sum_to_const; pose proof (lt_0_INR n ltac:(lia)).
  destruct (Nat.leb_spec n M), (Nat.leb_spec n (i - 1)), (Nat.leb_spec i n); try lia; field; lra.
Qed.
(** RS-LEN-20/L3: ... each prior that does not rise is that of one distribution of lengths; by the
    formula of none other *)
Theorem LEN_20_L3_back p M : (forall i, (1 <= i <= M)%nat -> p (S i) <= p i) -> p (S M) = 0 ->
  sum_to p M = 1 -> let c := fun n => INR n * (p n - p (S n)) in
  (forall n, (1 <= n <= M)%nat -> 0 <= c n) /\ sum_to c M = 1 /\
  forall i, (1 <= i <= M)%nat -> prior_of_lengths c M i = p i.
Proof.
  intros F Z S1 c; assert (forall m, sum_to c m = sum_to p m - INR m * p (S m)) as SC.
  { induction m as [|m IH]; [cbn; ring|]; cbn [sum_to]; rewrite IH; unfold c; rewrite S_INR; ring. }
  assert (sum_to c M = 1) as T by (rewrite SC, Z, S1; ring).
  split; [|split; [exact T|]].
  - intros n N; apply Rmult_le_pos; [apply pos_INR|pose proof (F n N); lra].
  - intros i I; rewrite lengths_as_difference, T by lia; cbn zeta.
    assert (forall m, sum_to (fun n => c n / INR n) m = p 1%nat - p (S m)) as SG.
    { induction m as [|m IH]; [cbn; ring|]; cbn [sum_to]; rewrite IH; unfold c.
      pose proof (lt_0_INR (S m) ltac:(lia)); field; lra. }
    rewrite !SG, Z; replace (S (i - 1)) with i by lia; field.
Qed.
(** RS-LEN-20/L4: of the lists of two collections it is the mean of both priors, each with the
    number of its lists as its weight *)
Theorem LEN_20_L4 a b M i : 0 < sum_to a M -> 0 < sum_to b M -> (1 <= i <= M)%nat ->
  prior_of_lengths (fun n => a n + b n) M i = (sum_to a M * prior_of_lengths a M i +
    sum_to b M * prior_of_lengths b M i) / (sum_to a M + sum_to b M).
Proof.
  intros A B I; unfold prior_of_lengths; rewrite sum_to_plus; set (k := (M - (i - 1))%nat).
  rewrite (sum_to_ext _ (fun j => shift (i - 1) (fun n => a n / INR n) j +
    shift (i - 1) (fun n => b n / INR n) j)), sum_to_plus by (intros; unfold shift, Rdiv; ring).
  field; lra.
Qed.
(** RS-LEN-20/L5: multiplying all counts by one number above 0 changes nothing *)
Theorem LEN_20_L5 x c M i : 0 < x -> 0 < sum_to c M ->
  prior_of_lengths (fun n => x * c n) M i = prior_of_lengths c M i.
Proof.
  intros X P; unfold prior_of_lengths; rewrite sum_to_scale.
  rewrite (sum_to_ext _ (fun j => x * shift (i - 1) (fun n => c n / INR n) j)), sum_to_scale by
    (intros; unfold shift, Rdiv; ring); field; lra.
Qed.
